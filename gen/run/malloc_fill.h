/* malloc_fill.h - the byte with which the program's malloc() fills memory, which tells a computed
 * value from one that was there before.
 */
#ifndef GEN_MALLOC_FILL_H
#define GEN_MALLOC_FILL_H

#include <stdbool.h>

/* True if memory filled so holds numbers, in each type. set: MALLOC_PERTURB_, as glibc reads it,
 * or NULL. */
bool malloc_fill_is_finite(const char *set);

#endif
