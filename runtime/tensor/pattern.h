/* pattern.h - the patterns in guarded memory that no launch has written, or that was released.
 * Inside the library only.
 *
 * The pattern of a type is two bytes that repeat. In a floating type it is a NaN, whose bits the
 * CPU's arithmetic propagates; in an integer type, a number that is an unlikely index. An element
 * that holds the pattern was not written, or was computed from such an element. The red zones
 * before and behind a buffer have another pattern in types of two bytes and more.
 *
 * Released memory holds a third pattern, with a code of the buffer. */
#ifndef AOTIGEN_PATTERN_H
#define AOTIGEN_PATTERN_H

#include "tensor/backend.h"

enum ag_pattern { AG_PATTERN_UNWRITTEN, AG_PATTERN_ZONE };

/* Four bytes of the pattern, read as a little-endian number. */
uint32_t ag_pattern_word(const ag_dtype *dtype, enum ag_pattern which);

/* True if all bytes of the element have the pattern. */
bool ag_pattern_is(const ag_dtype *dtype, enum ag_pattern which, const void *element);

/* True if the NaN has the bits of one that a CPU makes from numbers. For floating types of four
 * bytes and more. A CPU's arithmetic propagates the bits of a pattern, but torch's rounding to two
 * bytes loses them. */
bool ag_pattern_is_default_nan(const ag_dtype *dtype, const void *element);

/* The codes of released memory: 0 to AG_PATTERN_CODES - 1. */
enum { AG_PATTERN_CODES = 144 };
/* Four bytes of released memory. One-byte types have no code. */
uint32_t ag_pattern_released_word(const ag_dtype *dtype, unsigned code);
/* True if the element may be of memory that was released with this code. A two-byte element has
 * only half of the code: 23 codes are possible. False for one-byte types. */
bool ag_pattern_is_released(const ag_dtype *dtype, const void *element, unsigned code);

/* A type as wide as `dtype`, at most 4 bytes, for scans. An element counts as NaN if it holds the
 * pattern of unwritten memory, or if it differs from the pattern of a red zone. Static. */
const ag_dtype *ag_pattern_dtype(const ag_dtype *dtype, enum ag_pattern which);

#endif
