/* memories.c - how many elements each argument of a launch has, from what the wrapper says of its
 * variables: see sizes.h. */
#include "sizes/sizes_reader.h"
#include "model/op_table.h"
#include "parse/lex.h"
#include <string.h>

/* 1 + the sum of (size - 1) * stride: past the last element. */
static const poly *extent_of(sizes *z, const poly *const *dims, const poly *const *strides, int n) {
  const poly *sum = poly_number(z->s, 1), *one = sum;
  for (int i = 0; i < n; i++) {
    if (poly_is(dims[i], 0)) return poly_number(z->s, 0);
    sum = poly_add(z->s, sum, poly_multiply(z->s, poly_subtract(z->s, dims[i], one), strides[i]));
  }
  return sum;
}

static const poly *extent_of_lists(sizes *z, const char *dims, const char *strides, size_t at) {
  const poly *x[DIMS] = {0}, *y[DIMS] = {0};
  int n = dims ? sizes_read_list(z, dims, strlen(dims), at, x, DIMS) : -1,
      m = strides ? sizes_read_list(z, strides, strlen(strides), at, y, DIMS) : -1;
  return n >= 0 && n == m ? extent_of(z, x, y, n) : NULL;
}

/* A dimension that the wrapper neither checks nor reads: it may go with the other sizes. */
static const poly *define_dimension(sizes *z, const model_input *in, int i) {
  const char *name = arena_printf(z->s->a, "%s.size(%d)", in->name, i);
  const aotigen_dim *d = &in->dims[i];
  int known = symbols_find(z->s, name);
  if (known < 0)
    known = symbols_add(z->s, (symbol){.name = name,
                                       .kind = SYMBOL_SIZE,
                                       .measured = true,
                                       .counted = true,
                                       .low = d->min == AOTIGEN_ANY || d->min < 0 ? 0 : d->min,
                                       .high = d->max == AOTIGEN_ANY ? INT64_MAX : d->max});
  return poly_symbol(z->s, known);
}

/* True if a stride is less than the dimensions behind it need, as of channels_last. */
static bool is_permuted(const model_input *in) {
  int64_t least = 1;
  for (int i = in->ndim; i-- > 0;) {
    const aotigen_dim *d = &in->dims[i];
    if (d->stride > 0 && d->stride < least && !(d->min == 1 && d->max == 1)) return true;
    if (d->min > 0 && __builtin_mul_overflow(least, d->min, &least)) return false;
  }
  return false;
}

/* Of an input whose dimensions are in another order, of which not all strides are known: all of its
 * elements, if those that are known are the ones of a dense tensor; else NULL. */
static const poly *extent_of_permuted(sizes *z, const model_input *in,
                                      const poly *const *sizes_of) {
  const poly *all = poly_number(z->s, 1);
  for (int i = 0; i < in->ndim; i++) {
    const poly *inner = poly_number(z->s, 1);
    all = poly_multiply(z->s, all, sizes_of[i]);
    for (int k = 0; k < in->ndim; k++)
      if (in->dims[k].stride != AOTIGEN_ANY && in->dims[k].stride < in->dims[i].stride)
        inner = poly_multiply(z->s, inner, sizes_of[k]);
    if (in->dims[i].stride != AOTIGEN_ANY && !poly_is(inner, in->dims[i].stride)) return NULL;
  }
  return all;
}

static const poly *extent_of_input(sizes *z, const model_input *in) {
  bool unknown = false;
  const poly *x[DIMS] = {0}, *y[DIMS] = {0}, *next = poly_number(z->s, 1);
  if (in->ndim < 0 || in->unranked) return NULL;
  for (int i = in->ndim; i-- > 0;) {
    const aotigen_dim *d = &in->dims[i];
    bool fixed = d->min == d->max && d->min != AOTIGEN_ANY;
    if (fixed)
      x[i] = poly_number(z->s, d->min);
    else if (d->symbol)
      x[i] = sizes_find(z, d->symbol);
    else
      x[i] = define_dimension(z, in, i);
    y[i] = d->stride == AOTIGEN_ANY ? next : poly_number(z->s, d->stride); /* dense */
    next = poly_multiply(z->s, y[i], x[i]);
    unknown |= d->stride == AOTIGEN_ANY;
  }
  return unknown && is_permuted(in) ? extent_of_permuted(z, in, x) : extent_of(z, x, y, in->ndim);
}

/* True for a variable that a call made from another one, and that may be another tensor. */
static bool is_view_by_call(const sizes *z, int var) {
  const storage_entry *e = storage_at(z->storage, var);
  return facts_find_base(z->m->facts, var) < 0 && e->via && !storage_is_same(e);
}

/* True if a call on the way from the memory's owner may have changed the dtype. */
static bool is_reinterpreted(const sizes *z, int var) {
  storage_walk w = storage_walk_from(z->storage, var);
  for (; w.var >= 0; storage_walk_on(&w))
    if (is_view_by_call(z, w.var)) return true;
  return w.cut;
}

/* Notes that a view of the memory goes over so many of its elements. */
static void note_view(sizes *z, int base, const span *seen, size_t at) {
  const poly *x[DIMS] = {0}, *y[DIMS] = {0};
  int root = storage_root(z->storage, base);
  if (root < 0 || seen[3].end <= seen[3].begin || is_reinterpreted(z, base)) return;
  int n = sizes_read_array(z, seen[2], at, x, DIMS), m = sizes_read_array(z, seen[3], at, y, DIMS);
  if (n < 0 || n != m) return;
  const poly *end = poly_add(z->s, extent_of(z, x, y, n), sizes_read_text(z, seen[4], at));
  z->assumed[root] = poly_greater(z->s, z->assumed[root], end);
}

/* The end of "= std::move(" behind the name that ends at `at`; 0 where another text stands there.
 */
static size_t find_source(const char *text, size_t at, size_t end) {
  static const char move[] = "std::move(";
  size_t p = lex_skip_space(text, at, end);
  if (p >= end || text[p] != '=') return 0;
  p = lex_skip_space(text, p + 1, end);
  if (end - p < sizeof move || memcmp(text + p, move, sizeof move - 1) != 0) return 0;
  return lex_skip_space(text, p + sizeof move - 1, end);
}

/* By variable, an entry for each: what "NAME = std::move(OTHER);" moves into it. Reads the text
 * once. */
static assigned *read_assigned(const facts *f, const storage *s, arena *a) {
  assigned *all = arena_alloc(a, (f->vars.n + 1) * sizeof *all);
  char before = ';'; /* the last byte of the token before */
  for (size_t at = 0, next; (at = lex_skip_space(f->text, at, f->n)) < f->n; at = next) {
    next = lex_skip_token(f->text, at, f->n);
    size_t from = strchr(";{}", before) && lex_is_identifier(f->text[at])
                      ? find_source(f->text, next, f->n)
                      : 0;
    before = f->text[next - 1];
    if (!from) continue;
    size_t n = 0;
    while (lex_is_identifier(f->text[from + n])) n++;
    int to = storage_find(s, f->text + at, next - at, at);
    int source = f->text[from + n] == ')' ? storage_find(s, f->text + from, n, from) : -1;
    if (to >= 0 && source >= 0 && source != to) {
      *arena_push(a, &all[to].from) = source;
      *arena_push(a, &all[to].places) = at;
    }
  }
  return all;
}

static void read_memories(sizes *z) {
  const facts *f = z->m->facts;
  z->assigned = read_assigned(f, z->storage, z->s->a);
  z->elements = arena_alloc(z->s->a, (f->vars.n + 1) * sizeof *z->elements);
  z->assumed = arena_alloc(z->s->a, (f->vars.n + 1) * sizeof *z->assumed);
  for (size_t i = 0; i < f->vars.n; i++)
    if (f->vars.at[i].made == MADE_VIEW && f->vars.at[i].from >= 0)
      note_view(z, f->vars.at[i].from, f->vars.at[i].view, f->vars.at[i].declared);
  for (size_t i = 0; i < z->m->sites.n; i++)
    for (size_t k = 0; k < z->m->sites.at[i].args.n; k++) {
      const operand *o = z->m->sites.at[i].args.at[k].operand;
      if (o && o->kind == OPERAND_VIEW && o->var >= 0)
        note_view(z, o->var, o->view, z->m->sites.at[i].call->offset);
    }
}

static const poly *extent_of_root(sizes *z, int var, const char **why) {
  const fact_var *v = &z->m->facts->vars.at[var];
  const storage_entry *e = storage_at(z->storage, var);
  const poly *n = NULL;
  *why = "the wrapper does not say how long it is";
  if (v->made == MADE_INPUT && v->from >= 0 && (size_t)v->from < z->m->inputs.n) {
    *why = "the wrapper does not say how long this input is";
    n = extent_of_input(z, &z->m->inputs.at[v->from]);
  } else if (v->made == MADE_WEIGHT && v->from >= 0 && (size_t)v->from < z->m->weights.n) {
    const weight *w = &z->m->weights.at[v->from];
    n = extent_of_lists(z, w->shape, w->stride, 0);
  } else if (e->allocated) {
    n = extent_of_lists(z, e->sizes, e->strides, e->offset);
  } else {
    *why = "an operator makes it";
    n = shape_inference_elements(z, var);
    if (!n) n = z->assumed[var];
  }
  return n;
}

static const poly *elements_of(sizes *z, int var, const char **why);

/* The elements from the first one of the tensor that the variable was declared with. */
static const poly *elements_of_first(sizes *z, int var, const char **why) {
  const fact_var *v = &z->m->facts->vars.at[var];
  const storage_entry *e = storage_at(z->storage, var);
  if (v->made == MADE_ALIAS && v->from >= 0) return elements_of(z, v->from, why);
  if (v->made == MADE_VIEW && v->from >= 0) {
    const poly *base = elements_of(z, v->from, why);
    bool known = base && v->view[4].end > v->view[4].begin;
    const poly *offset = known ? sizes_read_text(z, v->view[4], v->declared) : NULL;
    if (base && !offset) *why = "it is a view whose place is not known";
    return poly_subtract(z->s, base, offset);
  }
  if (storage_is_same(e)) return elements_of(z, e->source, why);
  if (!e->via) return extent_of_root(z, var, why);
  *why = "it is a view whose place is not known"; /* a second handle, by a call */
  return NULL;
}

/* The lesser of the two; NULL with *why where they cannot be compared. */
static const poly *join_elements(sizes *z, const poly *x, const poly *y, const char **why) {
  const poly *least = poly_extreme(z->s, x, y, true);
  if (x && y && !least) *why = "it may be one of several tensors";
  return least;
}

/* The fewest elements that the variable may point to: it may hold one of several tensors. */
static const poly *read_elements(sizes *z, int var, const char **why) {
  const assigned *others = &z->assigned[var];
  bool empty = z->m->facts->vars.at[var].made == MADE_EMPTY && others->from.n;
  const poly *least = empty ? NULL : elements_of_first(z, var, why);
  for (size_t i = 0; i < others->from.n && (least || (empty && i == 0)); i++) {
    const poly *x = elements_of(z, others->from.at[i], why);
    least = least ? join_elements(z, x, least, why) : x;
  }
  return least;
}

static const poly *elements_of(sizes *z, int var, const char **why) {
  struct elements *e = &z->elements[var];
  *why = "it is moved from one variable to another in a circle";
  if (e->state == ELEMENTS_OPEN || (!e->state && z->hops == FACTS_STEPS_MAX)) return NULL;
  if (e->state == ELEMENTS_UNREAD) {
    e->state = ELEMENTS_OPEN;
    z->hops++;
    e->n = symbols_keep(z->s, read_elements(z, var, why));
    z->hops--;
    e->why = *why;
    e->state = ELEMENTS_READ;
  }
  *why = e->why;
  return e->n;
}

static int read_bytes(const char *dtype, bool named) {
  if (!dtype) return named ? 0 : SIZES_BYTES_ANY;
  return op_table_measure_dtype(dtype);
}

static int bytes_of_root(const sizes *z, int var) {
  const fact_var *v = &z->m->facts->vars.at[var];
  const storage_entry *e = storage_at(z->storage, var);
  if (v->made == MADE_INPUT && v->from >= 0 && (size_t)v->from < z->m->inputs.n)
    return read_bytes(z->m->inputs.at[v->from].dtype, false);
  if (v->made == MADE_WEIGHT && v->from >= 0 && (size_t)v->from < z->m->weights.n)
    return read_bytes(z->m->weights.at[v->from].dtype, true);
  return e->allocated ? read_bytes(e->dtype, e->sizes) : SIZES_BYTES_ANY;
}

static int join_bytes(int x, int y) {
  if (x == SIZES_BYTES_ANY || x == y) return y;
  return y == SIZES_BYTES_ANY ? x : 0;
}

/* The bytes of an element, over all tensors that the variable may hold. A view on the way with
 * another dtype makes them unknown. */
static int bytes_of(sizes *z, int var) {
  struct elements *known = &z->elements[var];
  if (known->typed || z->hops == FACTS_STEPS_MAX) return known->bytes;
  *known = (struct elements){known->state, known->n, known->why, true, 0};
  z->hops++;
  const storage_entry *e = storage_at(z->storage, var);
  const assigned *others = &z->assigned[var];
  int base = facts_find_base(z->m->facts, var), bytes = SIZES_BYTES_ANY;
  if (base >= 0 || storage_is_same(e))
    bytes = bytes_of(z, base >= 0 ? base : e->source);
  else if (z->m->facts->vars.at[var].made != MADE_EMPTY || !others->from.n)
    bytes = e->via ? SIZES_BYTES_ANY : bytes_of_root(z, var);
  for (size_t i = 0; i < others->from.n; i++)
    bytes = join_bytes(bytes, bytes_of(z, others->from.at[i]));
  z->hops--;
  return known->bytes = bytes;
}

int sizes_bytes_of_argument(sizes *z, const argument *arg) {
  int var = arg->operand ? arg->operand->var : -1;
  return storage_root(z->storage, var) < 0 ? SIZES_BYTES_ANY : bytes_of(z, var);
}

sizes *sizes_begin(const model *m, symbols *s, const blocks *b, string_map *changed) {
  sizes *z = arena_alloc(s->a, sizeof *z);
  *z = (sizes){.m = m,
               .s = s,
               .storage = m->storage,
               .blocks = b,
               .changes = changed,
               .launches = string_map_create(s->a)};
  z->multiples = string_map_create(s->a);
  z->unknown = string_map_create(s->a);
  z->followed = arena_alloc(s->a, (m->facts->vars.n + 1) * sizeof *z->followed);
  for (size_t i = 0; i < m->launches.n; i++)
    string_map_put(z->launches, m->launches.at[i].kernel, &m->launches.at[i]);
  sizes_define(z);
  read_memories(z);
  shape_inference_begin(z);
  return z;
}

/* True if a tensor is moved into the variable behind `at`, where no loop leads back to `at`. */
static bool is_assigned_later(const sizes *z, int var, size_t at) {
  const assigned *others = &z->assigned[var];
  const block *list = z->blocks->list.at;
  for (size_t i = 0; i < others->places.n; i++) {
    if (others->places.at[i] < at) continue;
    int loop = blocks_find(z->blocks, others->places.at[i]);
    while (loop >= 0 && (list[loop].kind != BLOCK_LOOP || list[loop].begin > at))
      loop = list[loop].outer;
    if (loop < 0) return true;
  }
  return false;
}

/* True if the variable may later hold another tensor than at `at`. */
static bool changes_later(const sizes *z, int var, size_t at) {
  storage_walk w = storage_walk_from(z->storage, var);
  for (; w.var >= 0; storage_walk_on(&w)) {
    if (is_assigned_later(z, w.var, at)) return true;
    if (facts_find_base(z->m->facts, w.var) >= 0) at = z->m->facts->vars.at[w.var].declared;
  }
  return w.cut;
}

const poly *sizes_of_argument(sizes *z, const argument *arg, size_t at, const char **why) {
  int var = arg->operand ? arg->operand->var : -1;
  *why = "it is no tensor of the wrapper";
  if (storage_root(z->storage, var) < 0) return NULL;
  const poly *all = elements_of(z, var, why);
  if (all && changes_later(z, var, at)) {
    *why = "the variable holds another tensor later";
    return NULL;
  }
  if (!all || !arg->operand->view) return all;
  const poly *offset = sizes_read_text(z, arg->operand->view[4], at);
  if (!offset) *why = "it is a view whose place is not known";
  return poly_subtract(z->s, all, offset);
}

bool sizes_is_made(sizes *z, int var) { return shape_inference_elements(z, var); }

bool sizes_is_assigned(const sizes *z, int var) { return z->assigned[var].from.n > 0; }

/* The elements of the memory before the first one that the variable points to. */
static const poly *offset_of(sizes *z, int var) {
  const poly *sum = poly_number(z->s, 0);
  int root = storage_root(z->storage, var);
  storage_walk w = storage_walk_from(z->storage, var);
  for (; w.var >= 0 && w.var != root && sum; storage_walk_on(&w)) {
    const fact_var *v = &z->m->facts->vars.at[w.var];
    if (z->assigned[w.var].from.n || is_view_by_call(z, w.var)) return NULL;
    if (v->made != MADE_VIEW) continue;
    bool known = v->view[4].end > v->view[4].begin;
    sum = known ? poly_add(z->s, sum, sizes_read_text(z, v->view[4], v->declared)) : NULL;
  }
  return w.var == root ? sum : NULL;
}

const poly *sizes_offset_of_argument(sizes *z, const argument *arg, size_t at, int *root) {
  *root = storage_root(z->storage, arg->operand ? arg->operand->var : -1);
  const poly *offset = *root >= 0 ? offset_of(z, arg->operand->var) : NULL;
  if (!offset || !arg->operand->view) return offset;
  return poly_add(z->s, offset, sizes_read_text(z, arg->operand->view[4], at));
}
