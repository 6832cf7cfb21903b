/* array.h - the growing arrays that the lexer of a tree-sitter grammar uses; Debian 12's
 * libtree-sitter comes without. */
#ifndef GRAMMAR_ARRAY_H
#define GRAMMAR_ARRAY_H

#include <stdint.h>
#include <stdlib.h>

#define Array(T)                                                                                   \
  struct {                                                                                         \
    T *contents;                                                                                   \
    uint32_t size, capacity;                                                                       \
  }
#define array_init(a) ((a)->contents = NULL, (a)->size = (a)->capacity = 0)
#define array_delete(a) (free((a)->contents), array_init(a))
#define array_get(a, i) (&(a)->contents[i])
#define array_back(a) (&(a)->contents[(a)->size - 1])
#define array_pop(a) ((a)->contents[--(a)->size])
#define array_reserve(a, n)                                                                        \
  ((a)->contents = array_resize((a)->contents, &(a)->capacity, (n), sizeof *(a)->contents))
#define array_push(a, x)                                                                           \
  ((a)->size == (a)->capacity ? (void)array_reserve(a, 2 * (a)->size + 8) : (void)0,               \
   (void)((a)->contents[(a)->size++] = (x)))

static inline void *array_resize(void *at, uint32_t *room, size_t n, size_t size) {
  if (n <= *room) return at;
  *room = (uint32_t)n;
  at = realloc(at, n * size);
  if (!at) abort();
  return at;
}

#endif
