/* exported_promises.c - see exported.h. */
#include "model/exported.h"
#include "model/guard_text.h"
#include "shared/postfix.h"
#include <string.h>

enum { PROMISES_MAX = 1000, INPUT_NAME_MAX = 200 };

typedef struct promise_reader {
  model *m;
  const exported *x;
  arena *a;
  const exported_input **tensors; /* by input of the wrapper */
  string_map *inputs;             /* the wrapper's, by the program's name of it */
  string_map *ambiguous;          /* names that two inputs have */
  string_map *longer;             /* "xs" where an input is called "xs_0" */
  size_t unread, untrue;
  const char *first_unread, *first_untrue;
} promise_reader;

/* ---- the inputs of both */

/* Torch has an input for each tensor, or for each of the program's inputs. */
static bool map_inputs(promise_reader *r) {
  const exported *x = r->x;
  const size_t n = r->m->inputs.n;
  const bool all = n == x->ninputs;
  if (r->m->jit || !n || !(all || n == x->tensors.n)) return false;
  r->tensors = arena_alloc(r->a, n * sizeof *r->tensors);
  for (size_t i = 0; i < x->tensors.n; i++)
    r->tensors[all ? (size_t)x->tensors.at[i].place : i] = &x->tensors.at[i];
  return true;
}

static const exported_range *find_range(const promise_reader *r, const char *symbol) {
  static const exported_range any = {AOTIGEN_ANY, AOTIGEN_ANY};
  const exported_range *range = symbol ? string_map_get(r->x->ranges, symbol) : NULL;
  return range ? range : &any;
}

static bool is_fixed(const aotigen_dim *d) { return d->min == d->max && d->min != AOTIGEN_ANY; }

static bool admits(const aotigen_dim *d, int64_t size) {
  return (d->min == AOTIGEN_ANY || size >= d->min) && (d->max == AOTIGEN_ANY || size <= d->max);
}

/* True if the wrapper may have been compiled for this size of the program: the compiler admits no
 * size that the program does not, and the one with which it was exported. */
static bool agrees(const promise_reader *r, const exported_input *t, const aotigen_dim *d, int i) {
  const int64_t least = find_range(r, t->symbols[i])->min, most = find_range(r, t->symbols[i])->max;
  if (t->hints[i] >= 0 && !admits(d, t->hints[i])) return false;
  const bool checked = d->min != AOTIGEN_ANY || d->max != AOTIGEN_ANY;
  if (t->dims[i] >= 0) return !checked || is_fixed(d);
  if (most != AOTIGEN_ANY && checked && (d->max == AOTIGEN_ANY || d->max > most)) return false;
  return least == AOTIGEN_ANY || least <= 2 || d->min == AOTIGEN_ANY || d->min >= least;
}

/* The first input whose sizes differ; the number of inputs if there is none. */
static size_t find_other(const promise_reader *r) {
  size_t i = 0;
  for (; i < r->m->inputs.n; i++) {
    const model_input *in = &r->m->inputs.at[i];
    const exported_input *t = r->tensors[i];
    if (!t || t->ndim < 0 || in->ndim < 0) continue;
    if (in->unranked ? t->ndim < in->ndim : t->ndim != in->ndim) return i;
    for (int k = 0; k < in->ndim; k++)
      if (!agrees(r, t, &in->dims[k], k)) return i;
  }
  return i;
}

/* ---- what the guards' names mean */

static void name_inputs(promise_reader *r) {
  r->inputs = string_map_create(r->a);
  r->ambiguous = string_map_create(r->a);
  r->longer = string_map_create(r->a);
  for (size_t i = 0; i < r->x->user_names.n; i++) {
    const char *name = r->x->user_names.at[i];
    if (strlen(name) > INPUT_NAME_MAX) continue;
    for (const char *end = strchr(name, '_'); end; end = strchr(end + 1, '_'))
      string_map_put(r->longer, arena_strndup(r->a, name, (size_t)(end - name)), name);
  }
  for (size_t i = 0; i < r->m->inputs.n; i++) {
    const char *name = r->tensors[i] ? r->x->user_names.at[r->tensors[i]->place] : "";
    if (!string_map_put_index(r->inputs, name, i)) string_map_put(r->ambiguous, name, name);
  }
}

/* Torch may have numbered the name of an input within another one, where two would have it. */
static bool find_input(const void *of, const char *name, bool nested, int64_t *index) {
  const promise_reader *r = of;
  const size_t i = string_map_index(r->inputs, name);
  if (i == STRING_MAP_NONE || string_map_get(r->ambiguous, name)) return false;
  *index = (int64_t)i;
  return !nested || !string_map_get(r->longer, name);
}

static const char *show_input(const void *of, int64_t index) {
  const model_input *in = &((const promise_reader *)of)->m->inputs.at[index];
  return in->python_name ? in->python_name : in->name;
}

/* ---- guards */

static bool find_hint(const void *of, int64_t input, int64_t dim, int64_t *value) {
  const exported_input *t = ((const promise_reader *)of)->tensors[input];
  if (dim >= t->ndim) return false;
  *value = t->hints[dim];
  return *value >= 0;
}

static bool no_argument(const void *of, int64_t number, int64_t *value) {
  (void)of, (void)number, (void)value;
  return false;
}

/* True if the guard holds of the sizes with which the program was exported. */
static bool holds(const promise_reader *r, const guard_text *g) {
  const ag_postfix_values hints = {no_argument, find_hint, r};
  const char *code = g->code;
  int64_t value;
  return ag_postfix_take(&code, &hints, &value) && value;
}

static const aotigen_dim *find_dim(const promise_reader *r, const guard_dim *x) {
  const model_input *in = &r->m->inputs.at[x->input];
  return x->dim < in->ndim ? &in->dims[x->dim] : NULL;
}

static const char *find_known_symbol(const promise_reader *r, const guard_dim *x) {
  return find_dim(r, x) ? model_input_dim(&r->m->inputs.at[x->input], (int)x->dim).symbol : NULL;
}

/* True if the wrapper's own checks of the inputs say as much. */
static bool is_checked(const promise_reader *r, const guard_text *g) {
  bool fixed = true;
  for (int i = 0; i < g->nsizes; i++) {
    const aotigen_dim *d = find_dim(r, &g->sizes[i]);
    fixed = fixed && d && is_fixed(d);
  }
  if (fixed || !g->equals_sizes) return fixed;
  const char *x = find_known_symbol(r, &g->sizes[0]), *y = find_known_symbol(r, &g->sizes[1]);
  return x && y && !strcmp(x, y);
}

/* The value of a guard that bounds one size, at a size of the wrapper's range. */
typedef struct one_size {
  int64_t size;
} one_size;

static bool take_one(const void *of, int64_t input, int64_t dim, int64_t *value) {
  (void)input, (void)dim;
  *value = ((const one_size *)of)->size;
  return true;
}

static bool holds_at(const guard_text *g, int64_t size) {
  const one_size one = {size};
  const ag_postfix_values values = {no_argument, take_one, &one};
  const char *code = g->code;
  int64_t value;
  return ag_postfix_take(&code, &values, &value) && value;
}

enum bound_is { BOUND_OPEN, BOUND_CHECKED, BOUND_OTHER };

/* A bound of one size, compared with the wrapper's range: the compiler has taken it over, so that
 * the guard is of another program if the range goes beyond it. */
static enum bound_is compare_bound(const promise_reader *r, const guard_text *g) {
  const aotigen_dim *d = g->bounds_size ? find_dim(r, &g->sizes[0]) : NULL;
  if (!d || (d->min == AOTIGEN_ANY && d->max == AOTIGEN_ANY)) return BOUND_OPEN;
  const int64_t least = d->min == AOTIGEN_ANY ? 0 : d->min,
                most = d->max == AOTIGEN_ANY ? INT64_MAX : d->max;
  return holds_at(g, least) && holds_at(g, most) ? BOUND_CHECKED : BOUND_OTHER;
}

static void count(size_t *n, const char **first, const char *guard) {
  if (!(*n)++) *first = guard;
}

static void add_promise(promise_reader *r, const model_promise *p) {
  if (r->m->promises.n < PROMISES_MAX)
    *arena_push(r->a, &r->m->promises) = *p;
  else
    count(&r->unread, &r->first_unread, p->text);
}

static void read_guard(promise_reader *r, const char *text) {
  const guard_names names = {find_input, show_input, r};
  guard_text g;
  if (!*text || !guard_text_read(&g, text, &names, r->a)) {
    count(&r->unread, &r->first_unread, text);
    return;
  }
  const enum bound_is bound = compare_bound(r, &g);
  if (!holds(r, &g) || bound == BOUND_OTHER) {
    count(&r->untrue, &r->first_untrue, text);
    return;
  }
  if (bound == BOUND_CHECKED || is_checked(r, &g)) return;
  add_promise(
      r, &(model_promise){.kind = g.excludes ? AOTIGEN_PROMISE_EXCLUDES : AOTIGEN_PROMISE_HOLDS,
                          .text = g.shown,
                          .code = g.code,
                          .input = (uint32_t)g.sizes[0].input,
                          .dim = (uint32_t)g.sizes[0].dim});
}

/* ---- symbols and ranges */

/* The program's symbol for a dimension that the wrapper does not fix, or NULL. */
static const char *find_symbol(const promise_reader *r, size_t input, int dim) {
  const exported_input *t = r->tensors[input];
  const bool known = t && dim < t->ndim && !is_fixed(&r->m->inputs.at[input].dims[dim]);
  return known ? t->symbols[dim] : NULL;
}

/* The wrapper's names of the program's symbols. The first input that has one of two names for the
 * same symbol; the number of inputs if there is none. */
static size_t map_symbols(const promise_reader *r, string_map *names, string_map *used) {
  size_t i = 0;
  for (; i < r->m->inputs.n; i++)
    for (int k = 0; k < r->m->inputs.at[i].ndim; k++) {
      const char *symbol = find_symbol(r, i, k), *name = r->m->inputs.at[i].dims[k].symbol;
      if (name) string_map_put(used, name, name);
      if (!symbol || !name || string_map_put(names, symbol, name)) continue;
      if (strcmp(string_map_get(names, symbol), name) != 0) return i;
    }
  return i;
}

/* The wrapper names a symbol only where it reads the size. */
static void take_symbols(promise_reader *r, const string_map *names, const string_map *used) {
  for (size_t i = 0; i < r->m->inputs.n; i++)
    for (int k = 0; k < r->m->inputs.at[i].ndim; k++) {
      const char *symbol = find_symbol(r, i, k);
      const char *name = symbol ? string_map_get(names, symbol) : NULL;
      if (name || (symbol && !string_map_get(used, symbol)))
        r->m->inputs.at[i].unread[k] = name ? name : symbol;
    }
}

/* The first input's size of each symbol. */
static void index_symbols(promise_reader *r) {
  r->m->size_symbols = string_map_create(r->a);
  for (size_t i = 0; i < r->m->inputs.n; i++)
    for (int k = 0; k < r->m->inputs.at[i].ndim; k++) {
      const char *symbol = find_symbol(r, i, k);
      if (symbol) string_map_put(r->m->size_symbols, symbol, arena_printf(r->a, "#%zu.%d", i, k));
    }
}

/* Keeps that the program allows more sizes than the wrapper, whose compiler decided on something
 * that holds up to its own limit. */
static void note_narrowed(promise_reader *r, size_t input, int dim) {
  const aotigen_dim *d = &r->m->inputs.at[input].dims[dim];
  const exported_range *range = find_range(r, r->tensors[input]->symbols[dim]);
  const char *text = "larger sizes";
  if (d->max == AOTIGEN_ANY || d->max == range->max) return;
  if (is_fixed(d))
    text = "other sizes";
  else if (range->max != AOTIGEN_ANY)
    text = arena_printf(r->a, "sizes up to %lld", (long long)range->max);
  add_promise(r, &(model_promise){.kind = AOTIGEN_PROMISE_NARROWED,
                                  .text = text,
                                  .code = "",
                                  .input = (uint32_t)input,
                                  .dim = (uint32_t)dim});
}

static void find_narrowed(promise_reader *r) {
  for (size_t i = 0; i < r->m->inputs.n; i++) {
    const exported_input *t = r->tensors[i];
    for (int k = 0; t && k < r->m->inputs.at[i].ndim && k < t->ndim; k++)
      if (t->symbols[k] && string_map_get(r->x->ranges, t->symbols[k])) note_narrowed(r, i, k);
  }
}

void exported_promises_read(model *m, const exported *x, const char *path, arena *a, diags *d) {
  promise_reader r = {.m = m, .x = x, .a = a};
  if (!map_inputs(&r)) {
    if (x->guards.n)
      diag_note(d, path,
                "has %zu guards, which are not checked: its inputs are not those of the wrapper",
                x->guards.n);
    return;
  }
  string_map *names = string_map_create(a), *used = string_map_create(a);
  size_t other = find_other(&r);
  if (other == m->inputs.n) other = map_symbols(&r, names, used);
  if (other < m->inputs.n) {
    diag_warning(d, path,
                 "is another export of the model: input '%s' has other sizes than in the wrapper; "
                 "what it promises of sizes is not checked",
                 show_input(&r, (int64_t)other));
    return;
  }
  take_symbols(&r, names, used);
  index_symbols(&r);
  find_narrowed(&r);
  name_inputs(&r);
  for (size_t i = 0; i < x->guards.n; i++) read_guard(&r, x->guards.at[i]);
  exported_promises_relate(m, a);
  if (r.unread)
    diag_note(d, path, "has %zu guard%s of a form that is not read and not checked: '%.200s'%s",
              r.unread, r.unread == 1 ? "" : "s", r.first_unread, r.unread == 1 ? "" : ", ...");
  if (r.untrue)
    diag_note(d, path,
              "has %zu guard%s that the wrapper's sizes contradict, and that are not checked: "
              "'%.200s'%s",
              r.untrue, r.untrue == 1 ? "" : "s", r.first_untrue, r.untrue == 1 ? "" : ", ...");
}
