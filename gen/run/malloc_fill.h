/* malloc_fill.h - what malloc() of the program fills memory with, which tells a value that was
 * computed from one that stood there.
 */
#ifndef GEN_MALLOC_FILL_H
#define GEN_MALLOC_FILL_H

#include <stdbool.h>

/* Is it numbers, in each type. set: MALLOC_PERTURB_, as glibc reads it, or NULL; device: of the
 * tensor, NULL where it is not known. A GPU's memory is not malloc()'s. */
bool malloc_fill_is_finite(const char *set, const char *device);

#endif
