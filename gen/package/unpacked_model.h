/* unpacked_model.h - which files of a directory make up one model, where no package's directories
 * tell that: torch.export's and torch._inductor.aot_compile() leave "model.so",
 * "HASH.wrapper.cpp" and "HASH.kernel.cpp" side by side, maybe of several models. What belongs
 * together is in each text's '// Link cmd'.
 */
#ifndef GEN_UNPACKED_MODEL_H
#define GEN_UNPACKED_MODEL_H

#include "base/diag.h"

typedef struct unpacked_model {
  const char *wrapper, *so; /* paths; so: NULL where there is none */
  strings kernels;          /* their names, without directories */
  bool knows_kernels;       /* else every '.kernel.cpp' is one */
} unpacked_model;

/* Finds the model of the '.so' with this path, or with NULL the only one, among the files (paths)
 * of the directory `dir`. False with an error in `d` that says what is missing. */
bool unpacked_model_find(unpacked_model *m, const char *so, const char *dir, const strings *files,
                         arena *a, diags *d);

/* True if the model lacks this source or shared object: it is another's. */
bool unpacked_model_leaves_out(const unpacked_model *m, const char *path);

#endif
