/* elements.c - see elements.h. */
#define _GNU_SOURCE
#include "explain/elements.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds the range around an element that is read at once, cut to the tensor's storage. */
static void find_piece(const ag_view *view, int64_t at, size_t size, int64_t *begin, int64_t *end) {
  int64_t item = view->t.dtype->item_size;
  int64_t low = view->storage_bytes >= 0 ? -view->first_byte : view->lowest * item;
  int64_t high = view->storage_bytes >= 0 ? view->storage_bytes - view->first_byte
                                          : view->highest * item;
  int64_t into = (int64_t)(((uintptr_t)view->t.data + (uintptr_t)at) % AG_ELEMENT_PIECE);
  *begin = at - into > low ? at - into : low;
  *end = at - into + AG_ELEMENT_PIECE < high ? at - into + AG_ELEMENT_PIECE : high;
  if (*end < at + (int64_t)size) *end = at + (int64_t)size;
}

static bool fill_piece(ag_elements *e, struct ag_element_piece *p, const ag_arg *a, int64_t begin,
                       int64_t end) {
  bool late = false;
  p->begin = 0;
  free(p->bytes);
  p->bytes = malloc((size_t)(end - begin));
  const char *why =
      !p->bytes ? "no memory is left"
                : e->from->read(e->from->data, a, begin, (size_t)(end - begin), p->bytes, &late);
  if (why) {
    snprintf(e->why, sizeof e->why, "%s", why);
    return false;
  }
  e->pieces_read++;
  p->begin = (uintptr_t)a->view.t.data + (uintptr_t)begin;
  p->size = (size_t)(end - begin);
  e->late = e->late || late;
  return true;
}

bool ag_elements_read(ag_elements *e, const ag_arg *a, int64_t flat, int64_t at, size_t size,
                      void *to) {
  uintptr_t address = (uintptr_t)a->view.t.data + (uintptr_t)at;
  struct ag_element_piece *p = &e->pieces[address / AG_ELEMENT_PIECE % AG_ELEMENT_PIECES];
  int64_t begin, end;
  if (flat >= 0 && e->from->recorded && e->from->recorded(e->from->data, a, flat, to)) return true;
  find_piece(&a->view, at, size, &begin, &end);
  bool there = p->begin && address >= p->begin && address + size <= p->begin + p->size;
  if (!there && !fill_piece(e, p, a, begin, end)) return false;
  memcpy(to, p->bytes + (address - p->begin), size);
  return true;
}

void ag_elements_end(ag_elements *e) {
  for (int i = 0; i < AG_ELEMENT_PIECES; i++) free(e->pieces[i].bytes);
}
