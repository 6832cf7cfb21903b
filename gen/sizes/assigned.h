/* assigned.h - which tensors a variable of the wrapper may hold other than the one that it was
 * declared with: the branches of a condition and the body of a loop move theirs into it. */
#ifndef GEN_SIZES_ASSIGNED_H
#define GEN_SIZES_ASSIGNED_H

#include "model/storage.h"

typedef struct assigned {
  struct {
    int *at; /* variables, of the facts */
    size_t n, cap;
  } from;
  struct {
    size_t *at; /* the offset of each move */
    size_t n, cap;
  } places;
} assigned;

/* By variable, an entry for each: what "NAME = std::move(OTHER);" moves into it. Reads the text
 * once. */
assigned *assigned_read(const facts *f, const storage *s, arena *a);

#endif
