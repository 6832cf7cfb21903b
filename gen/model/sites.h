/* sites.h - the launch sites of a wrapper: the calls that launch something, their form, and their
 * kernel or op. Part of the model stage. */
#ifndef GEN_SITES_H
#define GEN_SITES_H

#include "model/custom_ops.h"
#include "model/model.h"
#include "model/storage.h"

/* Fills m->sites in source order, with their arguments. The inputs, weights and Triton kernels of
 * `m` are complete. */
void sites_read(model *m, storage *st, const custom_ops *ops, arena *a);

#endif
