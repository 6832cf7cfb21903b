/* sizes.c - see sizes.h. */
#include "check/sizes.h"
#include "base/string_map.h"
#include "check/promises.h"
#include "model/storage.h"
#include "parse/lex.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { READ_DEPTH = 24, DIMS = 64 };

struct sizes {
  const model *m;
  const poly **assumed; /* by variable: elements that views of its memory go over, or NULL */
  symbols *s;
  storage *storage;
  string_map *launches;  /* launch by kernel */
  string_map *multiples; /* poly by name: of a size that is so many times a symbol */
  int depth;
};

static const poly *read_expr(sizes *z, const tree_expr *e, size_t at);
static void read_views(sizes *z);

/* ---- symbols -------------------------------------------------------------------------------- */

/* int64_t s26 = (1.0/2.0)*arg0_1_size_2: the size is 2 times s26. NULL where none is. */
static const char *find_part(const sizes *z, const char *size, int64_t *times) {
  static const char begin[] = "(1.0/";
  const facts *f = z->m->facts;
  for (size_t i = 0; i < f->vars.n; i++) {
    const fact_var *v = &f->vars.at[i];
    const char *init = f->text + v->init.begin;
    size_t n = v->init.end - v->init.begin, length = strlen(size);
    if (n < sizeof begin + length || memcmp(init, begin, sizeof begin - 1) != 0) continue;
    char *end;
    long long by = strtoll(init + sizeof begin - 1, &end, 10);
    bool is = by > 1 && strncmp(end, ".0)*", 4) == 0 && end + 4 + length == init + n &&
              memcmp(end + 4, size, length) == 0;
    *times = by;
    if (is) return v->name;
  }
  return NULL;
}

/* An input's size: of several inputs that share it the narrowest range counts. */
static void define_size(sizes *z, const dim *d) {
  int64_t low = d->min == DIM_ANY || d->min < 0 ? 0 : d->min;
  int64_t high = d->max == DIM_ANY ? INT64_MAX : d->max;
  int64_t times = 1;
  const char *part = find_part(z, d->symbol, &times), *name = part ? part : d->symbol;
  low = low / times + (low % times != 0);
  if (high != INT64_MAX) high /= times;
  int known = symbols_find(z->s, name);
  if (known < 0) {
    known = symbols_add(z->s, (symbol){.name = name,
                                       .is = SYMBOL_SIZE,
                                       .low = low,
                                       .high = high,
                                       .declared = high != INT64_MAX});
    if (part && known >= 0)
      string_map_put(z->multiples, d->symbol,
                     poly_multiply(z->s, poly_number(z->s, times), poly_symbol(z->s, known)));
    return;
  }
  symbol *x = &z->s->list.at[known];
  if (low > x->low) x->low = low;
  if (high < x->high) x->high = high;
  x->declared = x->declared || high != INT64_MAX;
}

/* A number that only a run tells: of what was counted, as nonzero does, or read from a tensor. */
static const poly *define_unknown(sizes *z, const fact_var *v) {
  const char *init = z->m->facts->text + v->init.begin;
  size_t n = v->init.end - v->init.begin;
  bool size = memmem(init, n, "size", 4) != NULL;
  int known = symbols_find(z->s, v->name);
  if (known < 0)
    known = symbols_add(z->s, (symbol){.name = v->name,
                                       .is = SYMBOL_SIZE,
                                       .measured = true,
                                       .counted = size,
                                       .low = size ? 0 : INT64_MIN,
                                       .high = INT64_MAX});
  return poly_symbol(z->s, known);
}

sizes *sizes_begin(const model *m, symbols *s) {
  sizes *z = arena_alloc(s->a, sizeof *z);
  *z = (sizes){.m = m, .s = s, .storage = m->storage, .launches = string_map_create(s->a)};
  z->multiples = string_map_create(s->a);
  for (size_t i = 0; i < m->inputs.n; i++)
    for (int d = 0; d < m->inputs.at[i].ndim; d++)
      if (m->inputs.at[i].dims[d].symbol) define_size(z, &m->inputs.at[i].dims[d]);
  for (size_t i = 0; i < m->launches.n; i++)
    string_map_put(z->launches, m->launches.at[i].kernel, &m->launches.at[i]);
  read_views(z);
  return z;
}

/* ---- expressions ---------------------------------------------------------------------------- */

static const poly *read_text(sizes *z, span text, size_t at) {
  return sizes_read(z, z->m->facts->text + text.begin, text.end - text.begin, at);
}

/* The size that a symbol's name means; NULL where none has the name. */
static const poly *find_size(const sizes *z, const char *name) {
  const poly *multiple = string_map_get(z->multiples, name);
  int known = multiple ? -1 : symbols_find(z->s, name);
  return known >= 0 ? poly_symbol(z->s, known) : multiple;
}

static int find_measured(const sizes *z, const poly *x) {
  bool one = x && x->n == 1 && x->at[0].n == 1 && x->at[0].factor == 1;
  int number = one ? x->at[0].symbols[0] : -1;
  return number >= 0 && z->s->list.at[number].measured ? number : -1;
}

static const poly *read_name(sizes *z, const char *name, size_t at) {
  const poly *size = find_size(z, name);
  if (size) return size;
  int var = storage_find(z->storage, name, strlen(name), at);
  const fact_var *v = var >= 0 ? &z->m->facts->vars.at[var] : NULL;
  if (!v || v->holds != HOLDS_SCALAR) return NULL;
  bool read = v->init.end > v->init.begin;
  const poly *x = read ? read_text(z, v->init, v->declared) : NULL;
  if (!x) x = define_unknown(z, v);
  int measured = find_measured(z, x);
  if (measured >= 0) promises_read(z->m->facts, z->s, measured, name, v->declared, at);
  return x;
}

static const poly *read_binary(sizes *z, const tree_expr *e, size_t at) {
  const poly *x = read_expr(z, e->first, at), *y = read_expr(z, e->first->next, at);
  switch (e->text[1] ? '?' : *e->text) {
    case '+': return poly_add(z->s, x, y);
    case '-': return poly_subtract(z->s, x, y);
    case '*': return poly_multiply(z->s, x, y);
    case '/':
    case '%': {
      if (!poly_is_natural(z->s, x) || !poly_is_positive(z->s, y)) return NULL;
      const poly *q = poly_divide(z->s, x, y);
      return *e->text == '/' ? q : poly_subtract(z->s, x, poly_multiply(z->s, q, y));
    }
    default: return NULL;
  }
}

static const poly *read_call(sizes *z, const tree_expr *e, size_t at) {
  const char *name = kernel_tree_name(e->first);
  const tree_expr *a = kernel_tree_argument(e, 0), *b = kernel_tree_argument(e, 1);
  if (a && !b && (strcmp(name, "static_cast") == 0 || strcmp(name, "int64_t") == 0))
    return read_expr(z, a, at);
  if (!a || !b) return NULL;
  const poly *x = read_expr(z, a, at), *y = read_expr(z, b, at);
  if (strcmp(name, "div_floor_integer") == 0)
    return poly_is_positive(z->s, y) ? poly_divide(z->s, x, y) : NULL;
  bool least = strcmp(name, "min") == 0;
  if (!least && strcmp(name, "max") != 0) return NULL;
  if (poly_is_at_most(z->s, x, y)) return least ? x : y;
  return poly_is_at_most(z->s, y, x) ? (least ? y : x) : NULL;
}

static const poly *read_expr(sizes *z, const tree_expr *e, size_t at) {
  if (z->depth > READ_DEPTH) return NULL;
  z->depth++;
  const poly *x = NULL;
  switch (e->is) {
    case TREE_INTEGER: x = poly_number(z->s, e->value); break;
    case TREE_NAME: x = read_name(z, e->text, at); break;
    case TREE_BINARY: x = read_binary(z, e, at); break;
    case TREE_CALL: x = read_call(z, e, at); break;
    case TREE_UNARY:
      if (strcmp(e->text, "-") == 0)
        x = poly_subtract(z->s, poly_number(z->s, 0), read_expr(z, e->first, at));
      break;
    default: break;
  }
  z->depth--;
  return x;
}

const poly *sizes_read(sizes *z, const char *text, size_t n, size_t at) {
  const tree_expr *e = kernel_tree_read_expression(text, n, z->s->a);
  return e ? read_expr(z, e, at) : NULL;
}

/* "s77, 10": each as an integer. -1 where there are more than `DIMS`. */
static int read_list(sizes *z, const char *text, size_t at, const poly **to) {
  size_t n = strlen(text);
  int count = 0;
  for (size_t p = 0; p < n; count++) {
    size_t comma = lex_find(text, p, n, ',');
    if (count == DIMS) return -1;
    to[count] = sizes_read(z, text + p, comma - p, at);
    p = comma + 1;
    while (p < n && text[p] == ' ') p++;
  }
  return count;
}

/* ---- memory --------------------------------------------------------------------------------- */

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
  int n = dims ? read_list(z, dims, at, x) : -1, m = strides ? read_list(z, strides, at, y) : -1;
  return n >= 0 && n == m ? extent_of(z, x, y, n) : NULL;
}

static const poly *extent_of_input(sizes *z, const model_input *in) {
  const poly *x[DIMS] = {0}, *y[DIMS] = {0}, *next = poly_number(z->s, 1);
  if (in->ndim < 0 || in->open) return NULL;
  for (int i = in->ndim; i-- > 0;) {
    const dim *d = &in->dims[i];
    bool fixed = d->min == d->max && d->min != DIM_ANY;
    if (fixed)
      x[i] = poly_number(z->s, d->min);
    else if (d->symbol)
      x[i] = find_size(z, d->symbol);
    y[i] = d->stride == DIM_ANY ? next : poly_number(z->s, d->stride); /* dense */
    next = poly_multiply(z->s, y[i], x[i]);
  }
  return extent_of(z, x, y, in->ndim);
}

/* "int_array_1": the elements of the array of that name. -1 where they are not known. */
static int read_array(sizes *z, span name, size_t at, const poly **to) {
  const char *text = z->m->facts->text;
  int var = storage_find(z->storage, text + name.begin, name.end - name.begin, at);
  if (var < 0) return -1;
  span init = z->m->facts->vars.at[var].init;
  if (init.end <= init.begin + 1 || text[init.begin] != '{') return -1;
  const char *list = arena_strndup(z->s->a, text + init.begin + 1, init.end - init.begin - 2);
  return read_list(z, list, z->m->facts->vars.at[var].declared, to);
}

/* A view of memory goes over so many elements of it. */
static void note_view(sizes *z, int base, const span *view, size_t at) {
  const poly *x[DIMS] = {0}, *y[DIMS] = {0};
  int root = storage_root(z->storage, base);
  if (root < 0 || view[3].end <= view[3].begin) return;
  int n = read_array(z, view[2], at, x), m = read_array(z, view[3], at, y);
  if (n < 0 || n != m) return;
  const poly *end = poly_add(z->s, extent_of(z, x, y, n), read_text(z, view[4], at));
  z->assumed[root] = poly_greater(z->s, z->assumed[root], end);
}

static void read_views(sizes *z) {
  const facts *f = z->m->facts;
  z->assumed = arena_alloc(z->s->a, (f->vars.n + 1) * sizeof *z->assumed);
  for (size_t i = 0; i < f->vars.n; i++)
    if (f->vars.at[i].made == MADE_VIEW && f->vars.at[i].from >= 0)
      note_view(z, f->vars.at[i].from, f->vars.at[i].view, f->vars.at[i].declared);
  for (size_t i = 0; i < z->m->sites.n; i++)
    for (size_t k = 0; k < z->m->sites.at[i].args.n; k++) {
      const operand *o = z->m->sites.at[i].args.at[k].operand;
      if (o && o->is == OPERAND_VIEW && o->var >= 0)
        note_view(z, o->var, o->view, z->m->sites.at[i].call->at);
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
    n = extent_of_lists(z, e->sizes, e->strides, e->at);
  } else {
    *why = "an operator makes it";
    n = z->assumed[var];
  }
  return n;
}

/* Up to the variable that owns the memory: the elements before the first one that `var` points to.
 */
static const poly *offset_of(sizes *z, int var, const char **why) {
  const poly *sum = poly_number(z->s, 0);
  int root = storage_root(z->storage, var);
  for (int hops = 0; var >= 0 && var != root; hops++) {
    const fact_var *v = &z->m->facts->vars.at[var];
    bool follows = (v->made == MADE_ALIAS || v->made == MADE_VIEW) && v->from >= 0;
    if (v->made == MADE_VIEW) {
      bool known = v->view[4].end > v->view[4].begin;
      sum = known ? poly_add(z->s, sum, read_text(z, v->view[4], v->declared)) : NULL;
    }
    if (!follows && storage_at(z->storage, var)->via) sum = NULL; /* a second handle, by a call */
    var = follows ? v->from : storage_at(z->storage, var)->source;
    if (!sum || hops == 64) break;
  }
  if (!sum || var != root) *why = "it is a view whose place is not known";
  return sum && var == root ? sum : NULL;
}

const poly *sizes_of_argument(sizes *z, const argument *x, size_t at, const char **why) {
  int var = x->operand ? x->operand->var : -1;
  int root = storage_root(z->storage, var);
  *why = "it is no tensor of the wrapper";
  if (root < 0) return NULL;
  const poly *all = extent_of_root(z, root, why), *offset = all ? offset_of(z, var, why) : NULL;
  if (x->operand->view[4].end > x->operand->view[4].begin) {
    offset = poly_add(z->s, offset, read_text(z, x->operand->view[4], at));
    if (!offset) *why = "it is a view whose place is not known";
  }
  return poly_subtract(z->s, all, offset);
}

/* ---- launches ------------------------------------------------------------------------------- */

typedef struct launch_reader {
  sizes *z;
  range_launch *l;
  const poly **params;
  const launch *launch;
} launch_reader;

static int find_param(const graph *g, const char *name) {
  for (size_t i = 0; i < g->nparams; i++)
    if (strcmp(g->params[i].name, name) == 0) return (int)i;
  return -1;
}

/* The launcher's body before the launch. */
static span find_launcher(const launch_reader *r) {
  const facts *f = r->z->m->facts;
  for (size_t i = 0; i < f->functions.n; i++) {
    span body = f->functions.at[i].body;
    if (body.begin < r->launch->statement && r->launch->statement < body.end)
      return (span){body.begin, r->launch->statement};
  }
  return (span){0, 0};
}

/* What `NAME = VALUE;` gives a local variable of the launcher. */
static const tree_expr *find_init(const launch_reader *r, const char *name) {
  const char *text = r->z->m->facts->text;
  span body = find_launcher(r);
  for (size_t at = body.begin; (at = lex_find_word(text, at, body.end, name)) < body.end; at++) {
    size_t p = lex_skip_space(text, at + strlen(name), body.end);
    if (p >= body.end || text[p] != '=' || text[p + 1] == '=') continue;
    size_t begin = lex_skip_space(text, p + 1, body.end),
           end = lex_find(text, begin, body.end, ';');
    return kernel_tree_read_expression(text + begin, end - begin, r->z->s->a);
  }
  return NULL;
}

/* Block of ((xnumel + (256 - 1)) / (256)); NULL of another expression. A tall grid is parted once
 * more: y_grid_raw_ is such a quotient, and the grid (y_grid_raw_ + (y_grid_div_ - 1)) /
 * y_grid_div_. */
static const tree_expr *find_block(const launch_reader *r, const tree_expr *e) {
  bool quotient = e && e->is == TREE_BINARY && strcmp(e->text, "/") == 0;
  if (!quotient) return NULL;
  const tree_expr *sum = e->first, *by = sum->next;
  bool parted = by->is == TREE_NAME && find_param(r->l->g, by->text) < 0;
  if (!parted) return by;
  bool named = sum->is == TREE_BINARY && sum->first->is == TREE_NAME;
  const tree_expr *raw = named ? find_init(r, sum->first->text) : NULL;
  bool plain = raw && raw->is == TREE_BINARY && strcmp(raw->text, "/") == 0;
  return plain ? raw->first->next : NULL;
}

/* An expression of a launcher, in which its parameters are what the kernel's are. */
static const poly *read_in_launcher(launch_reader *r, const tree_expr *e, int depth) {
  sizes *z = r->z;
  int param = e->is == TREE_NAME ? find_param(r->l->g, e->text) : -1;
  if (param >= 0) return r->params[param];
  if (e->is == TREE_NAME) {
    const tree_expr *init = depth < READ_DEPTH ? find_init(r, e->text) : NULL;
    return init ? read_in_launcher(r, init, depth + 1) : NULL;
  }
  if (e->is == TREE_INTEGER) return poly_number(z->s, e->value);
  if (e->is != TREE_BINARY || depth > READ_DEPTH) return NULL;
  const poly *x = read_in_launcher(r, e->first, depth + 1),
             *y = read_in_launcher(r, e->first->next, depth + 1);
  switch (*e->text) {
    case '+': return poly_add(z->s, x, y);
    case '-': return poly_subtract(z->s, x, y);
    case '*': return poly_multiply(z->s, x, y);
    case '/':
      return poly_is_natural(z->s, x) && poly_is_positive(z->s, y) ? poly_divide(z->s, x, y) : NULL;
    default: return NULL;
  }
}

/* Axis 0 goes over XBLOCK, 1 over YBLOCK, 2 over ZBLOCK. */
static void read_block(launch_reader *r, int axis, const tree_expr *grid) {
  static const char *const names[] = {"XBLOCK", "YBLOCK", "ZBLOCK"};
  int param = find_param(r->l->g, names[axis]);
  if (param < 0 || r->params[param]) return;
  const tree_expr *block = find_block(r, grid);
  bool plain = grid->is == TREE_NAME && find_param(r->l->g, grid->text) >= 0;
  if (block) r->params[param] = read_in_launcher(r, block, 0);
  if (plain) r->params[param] = poly_number(r->z->s, 1);
}

static void read_grid(launch_reader *r) {
  for (int axis = 0; axis < 3; axis++) {
    const char *text = r->launch->grid[axis];
    const tree_expr *grid = find_init(r, text);
    if (!grid) grid = kernel_tree_read_expression(text, strlen(text), r->z->s->a);
    if (!grid) continue;
    read_block(r, axis, grid);
    r->l->grid[axis] = read_in_launcher(r, grid, 0);
  }
}

static void read_constants(launch_reader *r, const triton *k) {
  for (size_t i = 0; k && i < k->params.n; i++) {
    int param = k->params.at[i].constant ? find_param(r->l->g, k->params.at[i].name) : -1;
    if (param >= 0) r->params[param] = poly_number(r->z->s, k->params.at[i].value);
  }
}

void sizes_of_launch(sizes *z, range_launch *l, const site *s, const argument *const *by_param) {
  launch_reader r = {.z = z,
                     .l = l,
                     .params = arena_alloc(z->s->a, (l->g->nparams + 1) * sizeof *r.params),
                     .launch = string_map_get(z->launches, s->kernel)};
  for (size_t i = 0; i < l->g->nparams; i++) {
    const argument *x = by_param[i];
    if (x && x->kind == KIND_SCALAR && x->operand)
      r.params[i] = read_text(z, x->operand->text, s->call->at);
  }
  read_constants(&r, s->triton);
  l->params = r.params;
  if (r.launch) read_grid(&r);
}
