/* launch_record.c - the memory of launch records: pages of chunks. */
#define _GNU_SOURCE
#include "state/launch_record.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16 };

typedef struct ag_chunk {
  struct ag_chunk *next;
  size_t size, used;
  _Alignas(16) char bytes[];
} ag_chunk;

static void *page_alloc(ag_page *p, size_t bytes) {
  ag_chunk *c = p->chunks;
  bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  while (c && c->size - c->used < bytes) c = c->next;
  if (!c) {
    size_t size = bytes > AG_PAGE_BYTES ? bytes : AG_PAGE_BYTES;
    c = malloc(sizeof *c + size);
    if (!c) return NULL;
    *c = (ag_chunk){.next = p->chunks, .size = size};
    p->chunks = c;
  }
  void *at = c->bytes + c->used;
  c->used += bytes;
  p->used += bytes;
  return at;
}

void *ag_record_alloc(ag_record *record, size_t bytes) { return page_alloc(record->page, bytes); }

const char *ag_record_copy_text(ag_record *record, const char *text) {
  char *kept = ag_record_alloc(record, strlen(text) + 1);
  return kept ? strcpy(kept, text) : NULL;
}

/* ---- pages ---------------------------------------------------------------------------------- */

/* No record on it waits for its evaluation. */
static bool is_free(const ag_page *p) {
  return atomic_load_explicit(&p->evaluated, memory_order_acquire) == p->records;
}

static bool is_full(const ag_page *p) {
  return p->records >= AG_PAGE_RECORDS || p->used >= AG_PAGE_BYTES;
}

static void clear_page(ag_page *p) {
  for (ag_chunk *c = p->chunks; c; c = c->next) c->used = 0;
  for (size_t i = 0; i < p->npinned; i++) p->pinned[i].used = 0;
  p->records = 0;
  p->used = 0;
  atomic_store(&p->evaluated, 0);
}

void ag_pages_clear(ag_pages *p) {
  for (int i = 0; i < AG_PAGES; i++) clear_page(&p->list[i]);
  p->current = 0;
}

bool ag_pages_have_room(const ag_pages *p) {
  return !is_full(&p->list[p->current]) || is_free(&p->list[(p->current + 1) % AG_PAGES]);
}

static ag_page *take_page(ag_pages *p, bool is_captured) {
  if (!is_full(&p->list[p->current]) || (is_captured && p->current + 1 == AG_PAGES))
    return &p->list[p->current];
  unsigned next = (p->current + 1) % AG_PAGES;
  if (!is_free(&p->list[next])) return NULL;
  p->current = next;
  clear_page(&p->list[next]);
  return &p->list[next];
}

/* ---- records -------------------------------------------------------------------------------- */

ag_record *ag_record_create(ag_pages *p, bool is_captured, size_t nargs) {
  ag_page *page = take_page(p, is_captured);
  if (!page) return NULL;
  ag_record *r = page_alloc(page, sizeof *r);
  ag_arg *args = page_alloc(page, (nargs ? nargs : 1) * sizeof *args);
  ag_scan_target *targets = page_alloc(page, 4 * nargs * sizeof *targets);
  if (!r || !args || !targets) return NULL;
  memset(r, 0, sizeof *r);
  r->args = args;
  r->nargs = nargs;
  r->batch[AG_BEFORE].targets = targets;
  r->batch[AG_AFTER].targets = targets + 2 * nargs;
  r->page = page;
  atomic_store_explicit(&r->stage, AG_LAUNCHING, memory_order_relaxed);
  return r;
}

void ag_arg_reset(ag_arg *a) {
  a->was = NULL;
  a->values.reads = a->values.asserted_after = a->values.lazy = a->values.counted = false;
  a->values.source = AG_FROM_NOWHERE;
  a->values.found = a->values.left = ag_unscanned;
  a->values.own = 0;
  memset(a->values.certainties, 0, sizeof a->values.certainties);
  a->values.untouched = false;
}

void ag_arg_bind(ag_arg *a, const aotigen_param *param, const aotigen_value *value) {
  a->param = param;
  a->value = *value;
  a->declared_read = false;
  a->earlier = a->later = NULL;
  a->writing = (ag_writing){0};
  ag_arg_reset(a);
  ag_view_of_value(&a->view, value, param);
  a->value.sizes = a->value.strides = NULL;
}

void ag_record_bind(ag_record *record, const aotigen_param *params, const aotigen_value *values,
                    size_t n) {
  for (size_t i = 0; i < n; i++) ag_arg_bind(&record->args[i], &params[i], &values[i]);
}
