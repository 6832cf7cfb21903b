/* kernels.h - the kernels of a wrapper: Triton's metadata, the launches of each with their grids,
 * and what the texts of kernels say of the arguments of their sites. Part of the model stage. */
#ifndef GEN_KERNELS_H
#define GEN_KERNELS_H

#include "model/model.h"

/* "triton_poi_0" of the launcher template "call_triton_poi_0", and of a launcher of that name. */
const char *kernels_read_name(const char *launcher);

/* Fills m->kernels with the metadata of the Triton kernels whose source the wrapper holds. */
void kernels_read(model *m, arena *a);

/* Fills m->launches; the sites are complete. */
void kernels_read_launches(model *m, arena *a);

/* Marks the sites that make infinities on purpose, and fills `text` of their arguments. The `role`
 * of an output that may keep some of its old contents becomes AOTIGEN_INOUT. Sites, ATen ops and
 * m->sources are complete. */
void kernels_read_texts(model *m, arena *a);

/* Fills m->cubins: every path that loadKernel is given as a literal, each once. */
void kernels_read_cubins(model *m, arena *a);

#endif
