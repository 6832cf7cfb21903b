/* released_buffers.c - see released_buffers.h. */
#define _GNU_SOURCE
#include "state/released_buffers.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/fork_lock.h"
#include "tensor/pattern.h"

struct ag_released_buffers {
  pthread_mutex_t lock;
  ag_fork_lock over_fork;
  ag_released_buffer list[AG_PATTERN_CODES]; /* the buffer with code i is list[i] */
  uint64_t count;                            /* that were added */
};

ag_released_buffers *ag_released_buffers_create(void) {
  ag_released_buffers *all = calloc(1, sizeof *all);
  if (!all) return NULL;
  pthread_mutex_init(&all->lock, NULL);
  ag_fork_lock_add(&all->over_fork, &all->lock);
  return all;
}

void ag_released_buffers_clear(ag_released_buffers *all) {
  if (!all) return;
  pthread_mutex_lock(&all->lock);
  all->count = 0;
  pthread_mutex_unlock(&all->lock);
}

unsigned ag_released_buffers_add(ag_released_buffers *all, const ag_buffer *b) {
  pthread_mutex_lock(&all->lock);
  unsigned code = (unsigned)(all->count++ % AG_PATTERN_CODES);
  all->list[code] = (ag_released_buffer){.row = b->row,
                                         .allocated = b->launch,
                                         .written = b->writers.written,
                                         .released = b->release.launch,
                                         .writer = b->writers.writer};
  pthread_mutex_unlock(&all->lock);
  return code;
}

size_t ag_released_buffers_find(ag_released_buffers *all, const ag_dtype *dtype,
                                const void *element, ag_released_buffer *found, size_t most) {
  size_t n = 0;
  if (!all) return 0;
  pthread_mutex_lock(&all->lock);
  for (uint64_t i = 0; i < all->count && i < AG_PATTERN_CODES; i++) {
    unsigned code = (unsigned)((all->count - 1 - i) % AG_PATTERN_CODES);
    if (!ag_pattern_is_released(dtype, element, code)) continue;
    if (n < most) found[n] = all->list[code];
    n++;
  }
  pthread_mutex_unlock(&all->lock);
  return n;
}
