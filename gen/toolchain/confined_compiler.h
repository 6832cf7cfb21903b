/* confined_compiler.h - the rights of a compiler that compiles and links a package: it may read the
 * directories in use and its own files, execute its own programs, and write to the private
 * directory.
 */
#ifndef GEN_TOOLCHAIN_CONFINED_COMPILER_H
#define GEN_TOOLCHAIN_CONFINED_COMPILER_H

#include "toolchain/compile.h"

/* The directories and files in use, besides the compiler's own. */
typedef struct confined_files {
  const strings *read;
  const char *write; /* the private directory */
} confined_files;

/* Makes the compiler run confined, until confined_compiler_end(). If it cannot, a warning says why:
 * the kernel has no Landlock, the compiler is a script, or does not work so. False, with an error
 * in `d`, also if the options require it and it cannot be done. */
bool confined_compiler_begin(compiler *x, const confined_files *files, const options *o, arena *a,
                             diags *d);

/* Frees the rules. Does nothing if the compiler does not run confined. */
void confined_compiler_end(compiler *x);

/* Lets the compiler read a file that was found later, from its next start on. False with errno.
 * Does nothing if the compiler does not run confined. */
bool confined_compiler_allow(compiler *x, const char *file);

/* Raises the limits for linking `bytes` of objects and weights, which take more memory and a
 * larger file. */
void confined_compiler_grow(compiler *x, uint64_t bytes);

#endif
