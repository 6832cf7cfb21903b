/* embedded_kernels.h - binaries of kernels that torch linked into an old '.so': each stands between
 * the symbols NAME_start and NAME_end.
 *
 * A package does not hold them as files, so they are copied out of the '.so' to be linked again.
 */
#ifndef GEN_TOOLCHAIN_EMBEDDED_KERNELS_H
#define GEN_TOOLCHAIN_EMBEDDED_KERNELS_H

#include "base/diag.h"

/* Copies each binary that one of the `objects` refers to and that `so` holds into an object file of
 * its own in `dir`, and adds the file's name to `made`. `name` stands for `so` in messages. */
bool embedded_kernels_extract(const char *so, const char *name, const strings *objects,
                              const char *dir, strings *made, arena *a, diags *d);

/* Refuses a newly linked `so` in which a symbol is undefined that `old_so` defined: what was linked
 * into that one cannot be copied out of it. `name` stands for `old_so` in the message. */
bool embedded_kernels_check(const char *so, const char *old_so, const char *name, diags *d);

#endif
