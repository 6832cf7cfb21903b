/* released_buffers.h - the poisoned buffers that a run has released. Inside the library only.
 *
 * The run's thread adds to the list; the evaluator of its launches looks elements up, maybe on
 * another thread. The list has a lock of its own. It holds the last AG_PATTERN_CODES buffers. */
#ifndef AOTIGEN_RELEASED_BUFFERS_H
#define AOTIGEN_RELEASED_BUFFERS_H

#include "state/buffers.h"

typedef struct ag_released_buffer {
  const aotigen_buffer *row;
  uint64_t allocated, written, released; /* the launches after which that happened; `written`: the
                                            launch that wrote it, 0: none */
  uint32_t writer;                       /* its site */
} ag_released_buffer;

typedef struct ag_released_buffers ag_released_buffers;

/* Makes an empty list; NULL if memory ran out. It lives as long as the process. */
ag_released_buffers *ag_released_buffers_create(void);
/* Empties the list for a new run. */
void ag_released_buffers_clear(ag_released_buffers *all);

/* Adds the buffer; returns the code that its memory is filled with (tensor/pattern.h). */
unsigned ag_released_buffers_add(ag_released_buffers *all, const ag_buffer *b);

/* Finds the buffers, at most `most` of them, from whose memory the element may have been read, the
 * last released first. Returns the number of candidates. `all` may be NULL. */
size_t ag_released_buffers_find(ag_released_buffers *all, const ag_dtype *dtype,
                                const void *element, ag_released_buffer *found, size_t most);

#endif
