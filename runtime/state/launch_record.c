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

void *ag_record_alloc(ag_record *r, size_t bytes) { return page_alloc(r->page, bytes); }

const char *ag_record_copy_text(ag_record *r, const char *text) {
  char *kept = ag_record_alloc(r, strlen(text) + 1);
  return kept ? strcpy(kept, text) : NULL;
}

ag_record *ag_record_create(ag_page *page, size_t nargs) {
  ag_record *r = page_alloc(page, sizeof *r);
  ag_arg *args = page_alloc(page, (nargs ? nargs : 1) * sizeof *args);
  if (!r || !args) return NULL;
  memset(r, 0, sizeof *r);
  r->args = args;
  r->nargs = nargs;
  r->page = page;
  atomic_store_explicit(&r->stage, AG_LAUNCHING, memory_order_relaxed);
  return r;
}

bool ag_page_is_free(const ag_page *p) {
  return atomic_load_explicit(&p->evaluated, memory_order_acquire) == p->records;
}

bool ag_page_is_full(const ag_page *p) {
  return p->records >= AG_PAGE_RECORDS || p->used >= AG_PAGE_BYTES;
}

void ag_page_clear(ag_page *p) {
  for (ag_chunk *c = p->chunks; c; c = c->next) c->used = 0;
  for (size_t i = 0; i < p->npinned; i++) p->pinned[i].used = 0;
  p->records = 0;
  p->used = 0;
  atomic_store(&p->evaluated, 0);
}

ag_pinned *ag_page_find_pinned(ag_page *p, size_t bytes) {
  for (size_t i = 0; i < p->npinned; i++)
    if (p->pinned[i].size - p->pinned[i].used >= bytes) return &p->pinned[i];
  return NULL;
}
