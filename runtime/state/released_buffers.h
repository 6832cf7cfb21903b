/* released_buffers.h - the buffers that a run has released, where their memory was poisoned. Inside
 * the library only.
 *
 * The run's thread adds to the list; who evaluates its launches looks an element up, perhaps on
 * another thread. The list has a lock of its own. It holds the last AG_PATTERN_CODES buffers.
 */
#ifndef AOTIGEN_RELEASED_BUFFERS_H
#define AOTIGEN_RELEASED_BUFFERS_H

#include "state/buffers.h"

typedef struct ag_released_buffer {
  const aotigen_buffer *row;
  uint64_t allocated, written, released; /* after which launch; `written`: by which, 0: none */
  uint32_t writer;                       /* its site */
} ag_released_buffer;

typedef struct ag_released_buffers ag_released_buffers;

/* A list, empty; NULL where memory ran out. It lives as long as the process. */
ag_released_buffers *ag_released_buffers_create(void);
/* For a new run. */
void ag_released_buffers_clear(ag_released_buffers *all);

/* Adds the buffer; returns the code that its memory is filled with (tensor/pattern.h). */
unsigned ag_released_buffers_add(ag_released_buffers *all, const ag_buffer *b);

/* Which buffers' memory, at most `most` of them, the element may have been read from, the one that
 * was released last first. Returns how many there are. `all` may be NULL. */
size_t ag_released_buffers_find(ag_released_buffers *all, const ag_dtype *dtype,
                                const void *element, ag_released_buffer *found, size_t most);

#endif
