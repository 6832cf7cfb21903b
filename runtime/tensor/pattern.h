/* pattern.h - the bytes of memory that nothing has written, where the library guards it.
 *
 * The pattern of a type is two bytes that repeat: a NaN of each floating type, a signalling one
 * where the type has one; of an integer a number that is no likely index. An element that holds the
 * pattern was not written, or what was written came from such an element.
 */
#ifndef AOTIGEN_PATTERN_H
#define AOTIGEN_PATTERN_H

#include "tensor/backend.h"

/* Four bytes of the pattern, as they are read little-endian. */
uint32_t ag_pattern_word(const ag_dtype *dtype);

/* Has the element the pattern in all of its bytes. */
bool ag_pattern_is(const ag_dtype *dtype, const void *element);

/* A type as wide as `dtype`, at most 4 bytes, of which every element that differs from the pattern,
 * or (holds) every one that holds it, counts as NaN: so a scan finds where guarded memory was
 * overwritten, or not written. Static. */
const ag_dtype *ag_pattern_dtype(const ag_dtype *dtype, bool holds);

#endif
