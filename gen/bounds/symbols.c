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
  if (s->list.n >= SYMBOLS_MAX || s->values) return -1; /* `values` has none for it */
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
