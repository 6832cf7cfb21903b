/* next.h - the functions behind those that are replaced: of another preloaded library or of the C
 * library.
 */
#ifndef PRELOAD_NEXT_H
#define PRELOAD_NEXT_H

#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

/* clang-format takes these for calls, and never terminates. */
/* clang-format off */
#define NEXT_EACH(X) \
  X(open) X(open64) X(__open_2) X(__open64_2) \
  X(openat) X(openat64) X(__openat_2) X(__openat64_2) \
  X(fopen) X(fopen64) X(dlopen) X(dlmopen)
/* clang-format on */

#define NEXT_NUMBER(f) NEXT_##f,
enum next_function { NEXT_EACH(NEXT_NUMBER) NEXT_FUNCTIONS };

/* Looks a function up at its first use: a constructor of another library may open a file before
 * ours has run. NULL if the C library lacks it. */
void *next_find(enum next_function i);

/* Looks up all of them. errno is kept. */
void next_find_all(void);

/* Stands for a function that the C library lacks: -1, with errno. */
long next_lacks(void);

#define NEXT(f, type) ((type)(uintptr_t)next_find(NEXT_##f))

#endif
