/* promise_relations.c - what promises of sizes say of each other: see exported.h. Values are tried:
 * torch's guards have small factors and divisors. A promise with a number that is not small beside
 * the values is left as it is, and so is one that was not reached within the limit. */
#include "model/exported.h"
#include "shared/postfix.h"
#include <stdlib.h>
#include <string.h>

/* LEAST_MAX: the largest least size that is looked into. */
enum { ONE_MAX = 4096, FIRST_MAX = 128, SECOND_MAX = 512, LEAST_MAX = 64, ABOVE = 256 };

/* Bytes of code that are interpreted, of all promises together: 0.3 s. */
enum { WORK_MAX = 40000000 };

/* The values that are tried go this many times beyond the numbers of a promise. */
enum { BEYOND = 8 };

typedef struct place {
  int64_t input, dim;
} place;

/* The sizes that a promise names, each once, at most two. */
typedef struct named_sizes {
  place at[2];
  int n; /* 3: more than two */
} named_sizes;

typedef struct relater {
  model *m;
  arena *a;
  int64_t left; /* how many more bytes of code may be interpreted */
} relater;

typedef struct trial {
  const named_sizes *sizes;
  int64_t value[2];
} trial;

static bool is_place(const place *x, int64_t input, int64_t dim) {
  return x->input == input && x->dim == dim;
}

static named_sizes read_sizes(const char *code) {
  named_sizes s = {.n = 0};
  for (const char *p = strchr(code, '#'); p && s.n < 3; p = strchr(p + 1, '#')) {
    char *dot;
    const int64_t input = strtoll(p + 1, &dot, 10), dim = strtoll(dot + 1, NULL, 10);
    bool known = false;
    for (int i = 0; i < s.n; i++) known = known || is_place(&s.at[i], input, dim);
    if (!known && s.n < 2) s.at[s.n] = (place){input, dim};
    s.n += !known;
  }
  return s;
}

static bool no_argument(const void *of, int64_t number, int64_t *value) {
  (void)of, (void)number, (void)value;
  return false;
}

static bool find_value(const void *of, int64_t input, int64_t dim, int64_t *value) {
  const trial *t = of;
  int i = is_place(&t->sizes->at[0], input, dim) ? 0 : 1;
  *value = t->value[i];
  return i < t->sizes->n && is_place(&t->sizes->at[i], input, dim);
}

static bool holds(relater *r, const model_promise *p, const named_sizes *s, int64_t first,
                  int64_t second) {
  const trial t = {s, {first, second}};
  const ag_postfix_values values = {no_argument, find_value, &t};
  const char *code = p->code;
  int64_t value;
  r->left -= (int64_t)strlen(p->code);
  return ag_postfix_take(&code, &values, &value) && value;
}

/* ---- a promise that follows from another one ------------------------------------------------ */

static bool are_same(const named_sizes *x, const named_sizes *y) {
  if (x->n != y->n || x->n > 2) return false;
  for (int i = 0; i < x->n; i++)
    if (!is_place(&x->at[0], y->at[i].input, y->at[i].dim) &&
        !(x->n > 1 && is_place(&x->at[1], y->at[i].input, y->at[i].dim)))
      return false;
  return true;
}

/* True if y holds wherever x does, which x does at several of the sizes, and y not at all of
 * them. */
static bool implies(relater *r, const model_promise *x, const model_promise *y,
                    const named_sizes *s) {
  const int64_t first = s->n == 1 ? ONE_MAX : FIRST_MAX, second = s->n == 1 ? 1 : SECOND_MAX;
  int64_t both = 0, neither = 0;
  for (int64_t i = 0; i < first; i++)
    for (int64_t k = 0; k < second; k++) {
      if (r->left <= 0) return false;
      const bool at_y = holds(r, y, s, i, k);
      neither += !at_y;
      if (!holds(r, x, s, i, k)) continue;
      if (!at_y) return false;
      both++;
    }
  return both > 2 && neither;
}

/* The greatest number in the code of a promise, its sizes' names aside. */
static int64_t greatest_number(const char *code) {
  int64_t most = 0;
  for (const char *p = code; *p;) {
    char *end = (char *)(uintptr_t)p + 1;
    if (*p == '#')
      end = (char *)(uintptr_t)p + strcspn(p, " ");
    else if (*p >= '0' && *p <= '9') {
      const int64_t n = strtoll(p, &end, 10);
      most = n > most ? n : most;
    }
    p = end;
  }
  return most;
}

/* True where values beyond those that are tried can make no difference to what follows from it. */
static bool has_small_numbers(const model_promise *p, const named_sizes *s) {
  return greatest_number(p->code) <= (s->n == 1 ? ONE_MAX : FIRST_MAX) / BEYOND;
}

static bool follows(relater *r, size_t i, const named_sizes *sizes) {
  const model *m = r->m;
  const model_promise *p = &m->promises.at[i];
  if (!has_small_numbers(p, &sizes[i])) return false;
  for (size_t k = 0; k < m->promises.n; k++) {
    const model_promise *x = &m->promises.at[k];
    if (k == i || x->kind != AOTIGEN_PROMISE_HOLDS || !*x->code || !are_same(&sizes[k], &sizes[i]))
      continue;
    if (has_small_numbers(x, &sizes[k]) && implies(r, x, p, &sizes[i]) &&
        (k < i || !implies(r, p, x, &sizes[i])))
      return true;
  }
  return false;
}

static void drop_followers(relater *r) {
  model *m = r->m;
  const size_t n = m->promises.n;
  named_sizes *sizes = arena_alloc(r->a, (n + 1) * sizeof *sizes);
  bool *drop = arena_alloc(r->a, n + 1);
  for (size_t i = 0; i < n; i++) sizes[i] = read_sizes(m->promises.at[i].code);
  for (size_t i = 0; i < n; i++)
    drop[i] = m->promises.at[i].kind == AOTIGEN_PROMISE_HOLDS && sizes[i].n && follows(r, i, sizes);
  m->promises.n = 0;
  for (size_t i = 0; i < n; i++)
    if (!drop[i]) m->promises.at[m->promises.n++] = m->promises.at[i];
}

/* ---- a least size that follows from another one --------------------------------------------- */

static model_input *find_input(model *m, const place *x) {
  model_input *in = (size_t)x->input < m->inputs.n ? &m->inputs.at[x->input] : NULL;
  return in && x->dim < in->ndim ? in : NULL;
}

static bool is_fixed(const aotigen_dim *d) { return d->min == d->max; }

/* True if the promise, of sizes `x` and `y`, leaves y less than `most` to x less than `least`
 * alone. second: x is the second one. */
static bool derives_least(relater *r, const model_promise *p, const named_sizes *s, bool second,
                          int64_t least, int64_t most) {
  bool small = false;
#define AT(x, y) holds(r, p, s, second ? (y) : (x), second ? (x) : (y))
  if (!AT(least, most)) return false;
  for (int64_t y = 0; y < most; y++) {
    if (r->left <= 0) return false;
    for (int64_t x = 0; x < least; x++) small = small || AT(x, y);
    for (int64_t x = least; x < least + ABOVE; x++)
      if (AT(x, y)) return false;
  }
#undef AT
  return small;
}

/* Notes that the second size's range begins where it does since the first one's begins at 2: torch
 * does not specialise sizes from there on. */
static bool derive_least(relater *r, const model_promise *p, const named_sizes *s, bool second) {
  model *m = r->m;
  const place *from = &s->at[second], *to = &s->at[!second];
  model_input *x = find_input(m, from), *y = find_input(m, to);
  if (!x || !y || to->dim >= 64) return false;
  const aotigen_dim *dx = &x->dims[from->dim], *dy = &y->dims[to->dim];
  const bool small = dx->min == 2 || x->derived_least >> from->dim & 1;
  if (!small || is_fixed(dx) || is_fixed(dy) || dy->min <= 2 || dy->min > LEAST_MAX ||
      dx->min > LEAST_MAX || y->derived_least >> to->dim & 1 ||
      !derives_least(r, p, s, second, dx->min, dy->min))
    return false;
  y->derived_least |= UINT64_C(1) << to->dim;
  const char *name = y->python_name ? y->python_name : y->name;
  *arena_push(r->a, &m->promises) =
      (model_promise){.kind = AOTIGEN_PROMISE_EXCLUDES,
                      .text = arena_printf(r->a, "%s.size(%lld) >= %lld", name, (long long)to->dim,
                                           (long long)dy->min),
                      .code = arena_printf(r->a, "#%lld.%lld %lld g", (long long)to->input,
                                           (long long)to->dim, (long long)dy->min),
                      .input = (uint32_t)to->input,
                      .dim = (uint32_t)to->dim};
  return true;
}

static bool derive_all(relater *r) {
  const model *m = r->m;
  bool any = false;
  const size_t n = m->promises.n;
  for (size_t i = 0; i < n; i++) {
    const model_promise p = m->promises.at[i];
    const named_sizes s = read_sizes(p.code);
    if (p.kind != AOTIGEN_PROMISE_HOLDS || s.n != 2) continue;
    any = derive_least(r, &p, &s, false) || any;
    any = derive_least(r, &p, &s, true) || any;
  }
  return any;
}

void exported_promises_relate(model *m, arena *a) {
  relater r = {m, a, WORK_MAX};
  drop_followers(&r);
  while (derive_all(&r)) {
  }
}
