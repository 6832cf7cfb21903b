/* malloc_fill.h - what malloc() of the program fills memory with, which tells a value that was
 * computed from one that stood there.
 */
#ifndef GEN_MALLOC_FILL_H
#define GEN_MALLOC_FILL_H

#include <stdbool.h>

/* True if memory filled so holds numbers, in each type. set: MALLOC_PERTURB_, as glibc reads it,
 * or NULL. */
bool malloc_fill_is_finite(const char *set);

#endif
