/* symbols.c - see symbols.h. */
#include "bounds/symbols.h"
#include "bounds/poly.h"
#include <string.h>

static const poly *copy_poly(const poly *x, arena *a) {
  size_t size = x ? sizeof *x + (size_t)x->n * sizeof *x->at : 0;
  return x ? memcpy(arena_alloc(a, size), x, size) : NULL;
}

int symbols_add(symbols *s, symbol x) {
  arena *a = s->lasting ? s->lasting : s->a;
  if (s->list.n >= SYMBOLS_MAX) return -1;
  if (x.name) x.name = arena_strdup(a, x.name);
  x.of = copy_poly(x.of, a);
  x.by = copy_poly(x.by, a);
  *arena_push(a, &s->list) = x;
  return (int)s->list.n - 1;
}

const poly *symbols_keep(symbols *s, const poly *x) {
  return s->lasting ? copy_poly(x, s->lasting) : x;
}

int symbols_find(const symbols *s, const char *name) {
  for (size_t i = 0; i < s->list.n; i++)
    if (s->list.at[i].name && strcmp(s->list.at[i].name, name) == 0) return (int)i;
  return -1;
}

arena *symbols_begin(symbols *s) {
  arena *outer = s->a;
  s->a = arena_new();
  return outer;
}

void symbols_end(symbols *s, arena *outer) {
  arena_free(s->a);
  s->a = outer;
}

arena *symbols_begin_launch(symbols *s) {
  s->costly = 0;
  return symbols_begin(s);
}

bool symbols_is_spent(const symbols *s) { return s->costly > SYMBOLS_COSTLY_MAX; }

unsigned symbols_assume(symbols *s) {
  unsigned before = s->assumption;
  s->assumption = ++s->assumptions;
  return before;
}

void symbols_release(symbols *s, unsigned before) { s->assumption = before; }

unsigned symbols_assume_positive(symbols *s, const short *list, int n) {
  unsigned before = symbols_assume(s);
  for (int i = 0; i < n; i++) s->list.at[list[i]].low = 1;
  return before;
}

void symbols_release_positive(symbols *s, const short *list, int n, unsigned before) {
  for (int i = 0; i < n; i++) s->list.at[list[i]].low = 0;
  symbols_release(s, before);
}

void symbols_begin_search(symbols *s, uint64_t most) {
  s->tried = 0;
  s->tried_most = most;
}

bool symbols_search_ends(const symbols *s) { return s->tried_most && s->tried > s->tried_most; }
