/* kernel_build.h - a kernel compiled by its package's own command, to learn what else it needs: the
 * headers that do not belong to the system, and functions of torch's library.
 */
#ifndef GEN_KERNEL_BUILD_H
#define GEN_KERNEL_BUILD_H

#include "taken/kernel_text.h"

typedef struct kernel_header {
  const char *path; /* here */
  const char *to;   /* below the program's directory: "include/ATen/cpu/vec/vec.h" */
} kernel_header;

typedef struct kernel_build {
  const char *source; /* n bytes: the kernel's, that was compiled */
  size_t n;
  const char *compiler; /* "g++" */
  strings flags;        /* with the directories of `headers` in the place of its own */
  arena_list(kernel_header) headers;
  strings missing; /* functions that neither the kernel nor the compiler's libraries define */
} kernel_build;

/* False with an error in `d`. */
bool kernel_build_try(kernel_build *b, const kernel_text *k, const options *o, arena *a, diags *d);

/* The one of torch's functions that main.c has itself: "aoti_torch_check". */
extern const char kernel_build_check[];

/* The missing ones but for that: they are in torch's library. */
strings kernel_build_torch_functions(const kernel_build *b, arena *a);

/* The "-fopenmp" of the flags, or "". */
const char *kernel_build_openmp(const kernel_build *b);

#endif
