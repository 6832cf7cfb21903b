/* unpacked.h - an unpacked package, or a model that torch never packed: its files are put into a
 * package, which is then treated as any other.
 */
#ifndef GEN_UNPACKED_H
#define GEN_UNPACKED_H

#include "base/options.h"

typedef struct unpacked {
  const char *package; /* what was made of the files, in the private directory */
  const char *root;    /* "ROOT/MEMBER without `below`" is the path of a file */
  const char *below;   /* as `input_below` of options; or NULL */
  const char *wrapper; /* the path of the only model's; NULL where there may be several */
} unpacked;

/* True for a directory, and for a name that ends in ".so". */
bool unpacked_detect(const char *path);

/* Packs the directory, or of the directory of the '.so' the files that belong to it
 * (unpacked_model.h). False with an error in `d`, also where one of the files cannot be read. */
bool unpacked_pack(unpacked *u, const char *path, arena *a, diags *d);

/* The verb `build` of such an input: rewrites its only model, and writes the '.so' that is linked
 * of it to o->output, with the names of its custom ops beside it. */
void unpacked_build(const options *o, const unpacked *u, arena *a, diags *d);

#endif
