/* arena.c - see arena.h. */
#include "base/arena.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct block {
  struct block *next;
  size_t used, size;
  _Alignas(max_align_t) char at[];
} block;

struct arena {
  block *blocks; /* the first is being filled */
  size_t room;   /* the size of the last block that was not large */
};

/* Many arenas hold little: blocks begin small. */
enum { BLOCK_FIRST = 1024, BLOCK = 64 * 1024 };

static _Noreturn void out_of_memory(void) {
  fputs("aotigen: error: out of memory\n", stderr);
  exit(3);
}

static void *check_memory(void *p) {
  if (!p) out_of_memory();
  return p;
}

arena *arena_new(void) { return check_memory(calloc(1, sizeof(arena))); }

void arena_free(arena *a) {
  if (!a) return;
  for (block *b = a->blocks, *next; b; b = next) {
    next = b->next;
    free(b);
  }
  free(a);
}

/* A large allocation gets a block of its own, as the second one: the rest of the first stays
 * usable. */
static block *add_block(arena *a, size_t size) {
  bool large = size > BLOCK / 4;
  size_t room = size;
  if (!large) {
    a->room = a->room == 0 ? BLOCK_FIRST : a->room < BLOCK ? a->room * 2 : BLOCK;
    if (a->room > room) room = a->room;
  }
  if (room > SIZE_MAX - sizeof(block)) out_of_memory();
  block *b = check_memory(calloc(1, sizeof *b + room));
  b->size = room;
  if (large && a->blocks) {
    b->next = a->blocks->next;
    a->blocks->next = b;
  } else {
    b->next = a->blocks;
    a->blocks = b;
  }
  return b;
}

/* The bytes that an allocation of `size` takes. */
static size_t round_size(size_t size) {
  const size_t align = _Alignof(max_align_t);
  if (size > SIZE_MAX - align) out_of_memory();
  return size ? (size + align - 1) / align * align : align;
}

void *arena_alloc(arena *a, size_t size) {
  size = round_size(size);
  block *b = a->blocks;
  if (!b || b->size - b->used < size) b = add_block(a, size);
  void *p = b->at + b->used;
  b->used += size;
  return p;
}

char *arena_strndup(arena *a, const char *s, size_t n) {
  char *copy = arena_alloc(a, n + 1);
  if (n) memcpy(copy, s, n);
  return copy;
}

char *arena_strdup(arena *a, const char *s) { return arena_strndup(a, s, strlen(s)); }

char *arena_vprintf(arena *a, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  if (n < 0) out_of_memory();
  char *s = arena_alloc(a, (size_t)n + 1);
  vsnprintf(s, (size_t)n + 1, format, again);
  va_end(again);
  return s;
}

char *arena_printf(arena *a, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *s = arena_vprintf(a, format, args);
  va_end(args);
  return s;
}

/* True where an allocation now has `more` bytes in its place: it was the last of the first block.
 */
static bool extend_last(arena *a, const void *at, size_t size, size_t more) {
  block *b = a->blocks;
  if (!at || (const char *)at + round_size(size) != b->at + b->used) return false;
  size_t begin = b->used - round_size(size);
  if (b->size - begin < round_size(more)) return false;
  b->used = begin + round_size(more);
  return true;
}

/* Most lists stay short: the first allocation has room for 8 elements, or 128 bytes. */
static size_t first_capacity(size_t size) {
  enum { ELEMENTS = 8, BYTES = 128 };
  if (size * ELEMENTS <= BYTES) return ELEMENTS;
  return size < BYTES ? BYTES / size : 1;
}

void arena_grow_(arena *a, void **at, size_t n, size_t *cap, size_t size) {
  if (n < *cap) return;
  size_t more = *cap ? *cap * 2 : first_capacity(size);
  if (more < *cap || more > SIZE_MAX / size) out_of_memory();
  if (!extend_last(a, *at, *cap * size, more * size)) {
    void *grown = arena_alloc(a, more * size);
    if (n) memcpy(grown, *at, n * size);
    *at = grown;
  }
  *cap = more;
}

static void reserve_text(strbuf *t, size_t n) {
  if (n > SIZE_MAX / 2 - t->n - 1) out_of_memory();
  size_t need = t->n + n + 1, cap = t->cap ? t->cap : 256;
  if (need <= t->cap) return;
  while (cap < need) cap *= 2;
  t->at = check_memory(realloc(t->at, cap));
  t->cap = cap;
}

void strbuf_add(strbuf *t, const char *s, size_t n) {
  reserve_text(t, n);
  if (n) memcpy(t->at + t->n, s, n);
  t->n += n;
  t->at[t->n] = '\0';
}

void strbuf_puts(strbuf *t, const char *s) { strbuf_add(t, s, strlen(s)); }

void strbuf_printf(strbuf *t, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n < 0) out_of_memory();
  reserve_text(t, (size_t)n);
  vsnprintf(t->at + t->n, (size_t)n + 1, format, again);
  va_end(again);
  t->n += (size_t)n;
}

void strbuf_free(strbuf *t) {
  free(t->at);
  *t = (strbuf){0};
}

char *strbuf_take(strbuf *t, arena *a) {
  char *copy = arena_strndup(a, t->at, t->n);
  strbuf_free(t);
  return copy;
}

bool strings_has(const strings *list, const char *s) {
  for (size_t i = 0; i < list->n; i++)
    if (!strcmp(list->at[i], s)) return true;
  return false;
}

bool text_begins(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }

int strings_index(const char *const *list, const char *s) {
  for (int i = 0; list[i]; i++)
    if (!strcmp(list[i], s)) return i;
  return -1;
}

char *strings_join(arena *a, const strings *s, const char *between) {
  strbuf out = {0};
  for (size_t i = 0; i < s->n; i++) {
    if (i) strbuf_puts(&out, between);
    strbuf_puts(&out, s->at[i]);
  }
  return strbuf_take(&out, a);
}
