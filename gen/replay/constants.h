/* constants.h - the weights and buffers that a capsule has, as far as they belong to the package
 * that is replayed: torch copies each whole, so it must be of the size that the model has for it.
 */
#ifndef GEN_REPLAY_CONSTANTS_H
#define GEN_REPLAY_CONSTANTS_H

#include "package/package.h"
#include "replay/capsule.h"

/* Compares those that are kept with the text of the model's wrapper. False with an error in `d`. */
bool constants_check(const capsule *c, const archive *z, const package_model *m, arena *a,
                     diags *d);

/* The same with that text. */
bool constants_check_text(const capsule *c, const char *text, size_t n, arena *a, diags *d);

/* How many are to be loaded. */
size_t constants_kept(const capsule *c);

/* A buffer that the model writes to was not kept: only a model that is loaded anew has it as it was
 * loaded. */
bool constants_need_fresh(const capsule *c);

/* "'fc.weight', 'fc.bias' and 3 more": of the buffers or of the weights those that are kept, or are
 * not; NULL for none. */
const char *constants_name(const capsule *c, bool of_buffers, bool kept, arena *a);

/* Why one of these was not kept. */
const char *constants_explain(const capsule *c, bool of_buffers);

#endif
