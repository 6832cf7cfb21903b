/* sizes.c - see sizes.h. */
#include "check/promises.h"
#include "check/sizes_reader.h"
#include "parse/lex.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { READ_DEPTH = 24 };

static const poly *read_expr(sizes *z, const tree_expr *e, size_t at);

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
    if (!is) continue;
    *times = by;
    return v->name;
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

void sizes_define(sizes *z) {
  const model *m = z->m;
  for (size_t i = 0; i < m->inputs.n; i++)
    for (int d = 0; d < m->inputs.at[i].ndim; d++)
      if (m->inputs.at[i].dims[d].symbol) define_size(z, &m->inputs.at[i].dims[d]);
}

/* ---- expressions ---------------------------------------------------------------------------- */

const poly *sizes_read_text(sizes *z, span text, size_t at) {
  return sizes_read(z, z->m->facts->text + text.begin, text.end - text.begin, at);
}

const poly *sizes_find(const sizes *z, const char *name) {
  const poly *multiple = string_map_get(z->multiples, name);
  int known = multiple ? -1 : symbols_find(z->s, name);
  return known >= 0 ? poly_symbol(z->s, known) : multiple;
}

static int find_measured(const sizes *z, const poly *x) {
  bool one = x && x->n == 1 && x->at[0].n == 1 && x->at[0].factor == 1;
  int number = one ? x->at[0].symbols[0] : -1;
  return number >= 0 && z->s->list.at[number].measured ? number : -1;
}

/* From where the variable was used last on. */
static void read_promises(sizes *z, int number, int var, size_t at) {
  const fact_var *v = &z->m->facts->vars.at[var];
  size_t from = v->declared < z->promised[var] ? z->promised[var] : v->declared;
  if (from >= at) return;
  promises_read(z->m->facts, z->s, number, v->name, from, at);
  z->promised[var] = at;
}

static const poly *read_name(sizes *z, const char *name, size_t at) {
  const poly *size = sizes_find(z, name);
  if (size) return size;
  int var = storage_find(z->storage, name, strlen(name), at);
  const fact_var *v = var >= 0 ? &z->m->facts->vars.at[var] : NULL;
  if (!v || v->holds != HOLDS_SCALAR) return NULL;
  bool read = v->init.end > v->init.begin;
  const poly *x = read ? sizes_read_text(z, v->init, v->declared) : NULL;
  if (!x) x = define_unknown(z, v);
  int measured = find_measured(z, x);
  if (measured >= 0) read_promises(z, measured, var, at);
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
int sizes_read_list(sizes *z, const char *text, size_t at, const poly **to) {
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

/* ---- launches ------------------------------------------------------------------------------- */

typedef struct launch_reader {
  sizes *z;
  range_launch *l;
  const poly **params;
  const launch *launch;
  span launcher;
} launch_reader;

/* The launcher's body before the launch. */
static span find_launcher(const facts *f, const launch *l) {
  for (size_t i = 0; i < f->functions.n; i++) {
    span body = f->functions.at[i].body;
    if (body.begin < l->statement && l->statement < body.end)
      return (span){body.begin, l->statement};
  }
  return (span){0, 0};
}

/* What `NAME = VALUE;` gives a local variable of the launcher. */
static const tree_expr *find_init(const launch_reader *r, const char *name) {
  const char *text = r->z->m->facts->text;
  span body = r->launcher;
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
  bool parted = by->is == TREE_NAME && graph_find_param(r->l->g, by->text) < 0;
  if (!parted) return by;
  bool named = sum->is == TREE_BINARY && sum->first->is == TREE_NAME;
  const tree_expr *raw = named ? find_init(r, sum->first->text) : NULL;
  bool plain = raw && raw->is == TREE_BINARY && strcmp(raw->text, "/") == 0;
  return plain ? raw->first->next : NULL;
}

/* An expression of a launcher, in which its parameters are what the kernel's are. */
static const poly *read_in_launcher(launch_reader *r, const tree_expr *e, int depth) {
  sizes *z = r->z;
  int param = e->is == TREE_NAME ? graph_find_param(r->l->g, e->text) : -1;
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
  int param = graph_find_param(r->l->g, names[axis]);
  if (param < 0 || r->params[param]) return;
  const tree_expr *block = find_block(r, grid);
  bool plain = grid->is == TREE_NAME && graph_find_param(r->l->g, grid->text) >= 0;
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
    int param = k->params.at[i].constant ? graph_find_param(r->l->g, k->params.at[i].name) : -1;
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
      r.params[i] = sizes_read_text(z, x->operand->text, s->call->at);
  }
  read_constants(&r, s->triton);
  l->params = r.params;
  if (!r.launch) return;
  r.launcher = find_launcher(z->m->facts, r.launch);
  read_grid(&r);
}
