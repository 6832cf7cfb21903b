/* build.h - `aotigen build`: from a wrapper and its kernels to a shared object, by their own
 * recorded commands. */
#ifndef GEN_TOOLCHAIN_BUILD_H
#define GEN_TOOLCHAIN_BUILD_H

#include "base/options.h"

/* Compiles, links and writes o->output. Errors are in `d`. */
void build_run(const options *o, arena *a, diags *d);

#endif
