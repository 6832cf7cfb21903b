/* parts.h - what belongs to a wrapper that is to be built: its kernels, its custom ops' names, the
 * runtime it wants. */
#ifndef GEN_PARTS_H
#define GEN_PARTS_H

#include "command/command.h"

typedef struct parts {
  strings kernels;             /* .cpp files */
  strings objects;             /* .o and .a files */
  const char *ops;             /* wrapper.json, or NULL */
  const char *runtime;         /* libaotigen.a, or NULL where the wrapper wants none */
  const char *runtime_include; /* the directory of aotigen.h, likewise */
} parts;

/* What a wrapper's companions are called, for input_sibling(): its custom ops' names, its kernels.
 * NULL-terminated. */
extern const char *const companion_ops[], *const companion_kernels[];

/* libaotigen.a and the directory of aotigen.h: beside the running binary, or PREFIX/lib/aotigen and
 * PREFIX/include/aotigen for PREFIX/bin. False with an error that names `file`. */
bool parts_runtime(const char **library, const char **include_dir, const char *file, arena *a,
                   diags *d);

/* The headers there that a rewritten wrapper includes. */
void parts_headers(strings *headers, const char *include_dir, arena *a);

/* Looks beside the wrapper and beside the original that its text names. False where something
 * needed is missing. */
bool parts_find(parts *p, const options *o, const char *at, size_t n, arena *a, diags *d);

#endif
