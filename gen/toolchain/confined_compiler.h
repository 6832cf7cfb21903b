/* confined_compiler.h - what a compiler may do while it compiles and links a package: read the
 * directories in use and its own files, execute its own programs, write to the private directory.
 */
#ifndef GEN_TOOLCHAIN_CONFINED_COMPILER_H
#define GEN_TOOLCHAIN_CONFINED_COMPILER_H

#include "toolchain/compile.h"

/* The directories and files in use, beside the compiler's own. */
typedef struct confined_files {
  const strings *read;
  const char *write; /* the private directory */
} confined_files;

/* Has the compiler run confined from now on, up to confined_compiler_end(). A warning says where it
 * does not: the kernel has no Landlock, the compiler is a script, or does not work so. False with
 * an error in `d`, also where the options require what cannot be. */
bool confined_compiler_begin(compiler *x, const confined_files *files, const options *o, arena *a,
                             diags *d);

/* Lets go of the rules. Does nothing where it does not run confined. */
void confined_compiler_end(compiler *x);

/* For linking `bytes` of objects and weights, which need more memory and a larger file. */
void confined_compiler_grow(compiler *x, uint64_t bytes);

#endif
