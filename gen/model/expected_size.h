/* expected_size.h - the number of elements that an output must have where sizes are symbols: the
 * elements that the next kernel touches, computed from the sizes of the call's own tensors. Part of
 * the model stage. */
#ifndef GEN_EXPECTED_SIZE_H
#define GEN_EXPECTED_SIZE_H

#include "model/model.h"
#include "model/storage.h"

typedef struct expected_sizes {
  const facts *f;
  storage *storage;
  arena *a;
} expected_sizes;

/* The text `least_of` of an argument of `user`, with `offset` elements more. Each argument of the
 * user is replaced by "#2.0", the size of dimension 0 of argument 2 of `maker`. NULL where the
 * wrapper does not show that one of the maker's tensors has such a size. */
const char *expected_size_read(const expected_sizes *sizes, const site *maker, const site *user,
                               const char *least_of, int64_t offset);

#endif
