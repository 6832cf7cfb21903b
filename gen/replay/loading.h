/* loading.h - whether a model's members are all that torch's loader would do something with, so
 * that a program that loads the '.so' alone runs what a program of the user's runs.
 */
#ifndef GEN_LOADING_H
#define GEN_LOADING_H

#include "package/package.h"

/* NULL where they are; else why only torch's own loader loads the model, or may. `device`: the
 * capsule's. */
const char *loading_explain(const archive *z, const package_model *m, const char *device, arena *a);

/* True where files lie beside the '.so', or for all models, that may be weights. */
bool loading_has_weights(const archive *z, const package_model *m);

#endif
