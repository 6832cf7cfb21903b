/* stored.h - which member of a capsule's archive has the memory of each tensor, and how the tensor
 * lies in it: what torch.load() would read from the member NAME/data.pkl.
 *
 * Only what torch.save() writes of plain tensors is read, and nothing is executed: a pickle of
 * anything else is left to torch. It is a stranger's: its length bounds the work and the memory.
 */
#ifndef GEN_STORED_H
#define GEN_STORED_H

#include "replay/capsule.h"

typedef struct stored_tensor {
  const char *dtype;  /* "float32"; NULL: None is in its place */
  const char *member; /* that has its memory, below NAME/data/ */
  const long long *sizes, *strides;
  size_t ndim;
  long long offset; /* in elements */
} stored_tensor;

typedef arena_list(stored_tensor) stored_tensors;

typedef struct stored {
  const char *root; /* "NAME/" */
  stored_tensors inputs, outputs;
} stored;

/* NULL, or why it is left to torch. */
const char *stored_read(stored *s, const char *path, const options *o, arena *a);
const char *stored_read_pickle(stored *s, const char *at, size_t n, arena *a);

#endif
