/* kept_constants.h - the weights and buffers that a capsule has: those that were updated since the
 * load, and those that the model writes to, as they were before the run. Inside the library only.
 *
 * A small buffer is copied before each run once the model is known to write to it. Until then it is
 * copied before the 1st, 2nd, 4th, 8th, ... run that is watched, and compared. */
#ifndef AOTIGEN_KEPT_CONSTANTS_H
#define AOTIGEN_KEPT_CONSTANTS_H

#include "watch/constants.h"

enum { AG_KEPT_CONSTANTS_MOST = 4096 };

/* The copies of buffers of a run. */
typedef struct ag_kept_buffer {
  ag_kept_tensor tensor;
  size_t which; /* of the record's buffers */
  bool decided; /* the model is known to write to it */
} ag_kept_buffer;

typedef struct ag_kept_buffers {
  ag_constants *of; /* NULL: nothing is known */
  ag_kept_buffer *list;
  size_t count, room;
  ag_host_copies copies;
  uint64_t generation;
  bool is_first; /* the container's first run */
  bool missed;   /* an update was under way */
} ag_kept_buffers;

/* Before a run that is watched: chooses, and copies those on the host. is_first: the container's
 * first run. */
void ag_kept_buffers_begin(ag_kept_buffers *k, ag_constants *of, bool is_first);
/* The copies have arrived: finds which ones the model has written to. */
void ag_kept_buffers_end(ag_kept_buffers *k);

/* One that a capsule has, or lacks. */
typedef struct ag_kept_constant {
  const char *name; /* torch's original name */
  bool is_buffer;   /* the model writes to it; else it was updated */
  ag_kept_tensor tensor;
} ag_kept_constant;

typedef struct ag_kept_constants {
  ag_kept_constant *list;
  size_t count;
  size_t more;     /* that are not in the list */
  const char *why; /* nothing is known of them: the reason; static */
  bool locked;
} ag_kept_constants;

/* The tensors are valid until the end, and no update begins before it. lost: why nothing is read
 * from a device any more; NULL: it is. */
void ag_kept_constants_begin(ag_kept_constants *k, const ag_kept_buffers *buffers,
                             const char *lost);
void ag_kept_constants_end(ag_kept_constants *k);

#endif
