/* pattern.h - the bytes of memory that no launch has written, or that was released, where the
 * library guards it. Inside the library only.
 *
 * The pattern of a type is two bytes that repeat: a NaN of each floating type, so that arithmetic
 * on the CPU keeps its bits; of an integer a number that is no likely index. An element that holds
 * the pattern was not written, or what was written came from such an element. What stands before
 * and behind a buffer, its red zones, has another pattern in types of two bytes and more.
 *
 * Released memory holds a third one, with a code that tells which buffer it was.
 */
#ifndef AOTIGEN_PATTERN_H
#define AOTIGEN_PATTERN_H

#include "tensor/backend.h"

enum ag_pattern { AG_PATTERN_UNWRITTEN, AG_PATTERN_ZONE };

/* Four bytes of the pattern, as they are read little-endian. */
uint32_t ag_pattern_word(const ag_dtype *dtype, enum ag_pattern which);

/* Has the element the pattern in all of its bytes. */
bool ag_pattern_is(const ag_dtype *dtype, enum ag_pattern which, const void *element);

/* Has the NaN, of a floating type of four bytes and more, no bits but those of one that a CPU makes
 * of numbers. Its arithmetic keeps the bits of a pattern; where torch rounds to two bytes they are
 * lost. */
bool ag_pattern_is_default_nan(const ag_dtype *dtype, const void *element);

/* The codes of released memory: 0 to AG_PATTERN_CODES - 1. */
enum { AG_PATTERN_CODES = 144 };
/* Four bytes of released memory. Types of one byte have no code. */
uint32_t ag_pattern_released_word(const ag_dtype *dtype, unsigned code);
/* May the element be of memory that was released with this code. One of two bytes has half of the
 * code: it may be of any of 23. False of types of one byte. */
bool ag_pattern_is_released(const ag_dtype *dtype, const void *element, unsigned code);

/* A type as wide as `dtype`, at most 4 bytes, of which every element that holds the pattern of what
 * is unwritten, or that differs from that of a red zone, counts as NaN: so a scan finds where
 * guarded memory was not written, or was overwritten. Static. */
const ag_dtype *ag_pattern_dtype(const ag_dtype *dtype, enum ag_pattern which);

#endif
