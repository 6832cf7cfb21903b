/* element_hash.h - a hash of a tensor's elements in host memory, by which two moments, runs or
 * machines are compared.
 *
 * The hash is the sum, modulo 2^64, of a mix of each element's logical index and its bits. It does
 * not depend on strides, nor on the order in which elements are added: parts of a tensor are hashed
 * apart, by any threads, and their sums added. The index takes part because a tensor whose rows
 * were exchanged is another one, which bits alone would not tell. Bits take part as they are: -0 is
 * not +0, and each NaN is its own. The shape and dtype do not take part.
 *
 * For elements of up to 8 bytes the mix of an index is one to one: a change of one element always
 * changes the hash. Several changes may cancel by chance, which no trial of 10^12 pairs did. It is
 * no defence against values that were chosen to collide. */
#ifndef AOTIGEN_ELEMENT_HASH_H
#define AOTIGEN_ELEMENT_HASH_H

#include "tensor/backend.h"

/* The hash of n elements that are contiguous at `data`; `index` is the flat logical index of the
 * first, and the others follow. About as fast as memcpy() of memory that no cache has. */
uint64_t ag_hash_elements(const ag_dtype *dtype, const void *data, int64_t n, int64_t index);

/* The same of elements first .. first + n - 1 of a tensor on the host, in row-major order. */
uint64_t ag_hash_part(const ag_tensor *t, int64_t first, int64_t n);

#endif
