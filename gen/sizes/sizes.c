/* sizes.c - see sizes.h. */
#include "sizes/sizes_reader.h"
#include "parse/lex.h"
#include <stdlib.h>
#include <string.h>

enum { READ_DEPTH = 24 };

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
    bool is_product = by > 1 && strncmp(end, ".0)*", 4) == 0 && end + 4 + length == init + n &&
                      memcmp(end + 4, size, length) == 0;
    if (!is_product) continue;
    *times = by;
    return v->name;
  }
  return NULL;
}

/* Where several inputs share a size, the narrowest range counts. */
static void define_size(sizes *z, const aotigen_dim *d) {
  int64_t low = d->min == AOTIGEN_ANY || d->min < 0 ? 0 : d->min;
  int64_t high = d->max == AOTIGEN_ANY ? INT64_MAX : d->max;
  int64_t times = 1;
  const char *part = find_part(z, d->symbol, &times), *name = part ? part : d->symbol;
  low = low / times + (low % times != 0);
  if (high != INT64_MAX) high /= times;
  int known = symbols_find(z->s, name);
  if (known < 0) {
    known = symbols_add(z->s, (symbol){.name = name,
                                       .kind = SYMBOL_SIZE,
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

static arena *lasting_of(const symbols *s) { return s->lasting ? s->lasting : s->a; }

/* A name of its own, since another variable, or this one before it is assigned, may have the
 * plain name. */
static const char *name_unknown(const sizes *z, const fact_var *var, size_t from) {
  if (from == var->declared && symbols_find(z->s, var->name) < 0) return var->name;
  unsigned line, column;
  facts_position(z->m->facts, from, &line, &column);
  const char *name = arena_printf(z->s->a, "%s@%u", var->name, line);
  return symbols_find(z->s, name) < 0 ? name : arena_printf(z->s->a, "%s.%u", name, column);
}

/* Defines a symbol for a number that only a run tells: it was counted, as by nonzero, or read from
 * a tensor. The text of its value stands at `from`. */
static const poly *define_unknown(sizes *z, const fact_var *var, span value, size_t from) {
  const char *key = arena_printf(z->s->a, "%zu", from);
  const int *known = string_map_get(z->unknown, key);
  if (known) return poly_symbol(z->s, *known);
  bool size = memmem(z->m->facts->text + value.begin, value.end - value.begin, "size", 4) != NULL;
  int *number = arena_alloc(lasting_of(z->s), sizeof *number);
  *number = symbols_add(z->s, (symbol){.name = name_unknown(z, var, from),
                                       .kind = SYMBOL_SIZE,
                                       .measured = true,
                                       .counted = size,
                                       .low = size ? 0 : INT64_MIN,
                                       .high = INT64_MAX});
  string_map_put(z->unknown, arena_strndup(lasting_of(z->s), key, strlen(key)), number);
  return poly_symbol(z->s, *number);
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

/* "u0 <= 134217728L": a bound of a size that only a run tells. */
static void narrow(symbol *x, const char *name, const tree_expr *e) {
  if (!e || e->kind != TREE_BINARY || !strchr("<>", *e->text)) return;
  const tree_expr *left = e->first, *right = left->next;
  bool less = *e->text == '<', equal = e->text[1] == '=';
  if (left->kind == TREE_INTEGER) {
    const tree_expr *swap = left;
    left = right;
    right = swap;
    less = !less;
  }
  if (left->kind != TREE_NAME || right->kind != TREE_INTEGER || strcmp(left->text, name) != 0)
    return;
  int64_t limit = right->value;
  if (!equal && (limit == INT64_MIN || limit == INT64_MAX)) return;
  if (less) {
    limit -= !equal;
    if (limit < x->high) x->high = limit;
    x->declared = !x->counted;
  } else {
    limit += !equal;
    if (limit > x->low) x->low = limit;
  }
}

/* Narrows a symbol by the checks of the variable that stand between the two offsets: if (!(u0 <=
 * 134217728L)) { throw ... }. The bounds hold wherever the variable is used behind them. */
static void narrow_by_checks(const sizes *z, int number, int var, size_t from, size_t at) {
  static const char begin[] = "if (!(";
  const blocks *b = z->blocks;
  const fact_var *v = &z->m->facts->vars.at[var];
  const char *text = b->f->text;
  const int declared = blocks_find(b, v->declared);
  const char *p = text + from;
  while ((p = memmem(p, (size_t)(text + at - p), begin, sizeof begin - 1))) {
    size_t open = (size_t)(p - text) + sizeof begin - 2, close = lex_match(text, open, at);
    size_t here = (size_t)(p - text);
    bool certain = blocks_is_within(b, declared, blocks_find_branching(b, here)) &&
                   changes_find_variable(b, z->storage, v->name, here) == var;
    p += sizeof begin - 1;
    size_t brace = close + 2 < at ? lex_skip_space(text, close + 2, at) : at;
    size_t throws = brace < at ? lex_skip_space(text, brace + 1, at) : at;
    if (certain && throws < at && text[brace] == '{' && lex_is_word(text, throws, at, "throw"))
      narrow(&z->s->list.at[number], v->name,
             kernel_tree_read_expression(text + open + 1, close - open - 1, z->s->a));
  }
}

/* Reads the assumptions from the offset of the value, or of the variable's last use, on. */
static void read_assumptions(sizes *z, int number, int var, size_t from, size_t at) {
  if (from < z->followed[var]) from = z->followed[var];
  if (from >= at) return;
  narrow_by_checks(z, number, var, from, at);
  z->followed[var] = at;
}

/* True if a loop around `at` changes the variable, which is declared outside of that loop. */
static bool is_changed_again(const sizes *z, const changes *c, const fact_var *var, size_t at) {
  const block *list = z->blocks->list.at;
  for (int i = blocks_find(z->blocks, at); i >= 0; i = list[i].outer) {
    if (list[i].kind != BLOCK_LOOP || list[i].begin <= var->declared) continue;
    if (changes_count(c, list[i].end) > changes_count(c, list[i].begin)) return true;
  }
  return false;
}

/* The number of changes of this variable, without those of another one with the same name. */
static size_t count_own(const sizes *z, const changes *c, int var, size_t at) {
  size_t n = changes_count(c, at), declared = z->m->facts->vars.at[var].declared;
  for (; n && c->at[n - 1].offset > declared; n--)
    if (changes_find_variable(z->blocks, z->storage, z->m->facts->vars.at[var].name,
                              c->at[n - 1].offset) == var)
      break;
  return n;
}

bool sizes_find_value(const sizes *z, int var, size_t at, span *value, size_t *from) {
  const fact_var *v = &z->m->facts->vars.at[var];
  const char *text = z->m->facts->text;
  const changes *c = string_map_get(z->changes, v->name);
  size_t n = count_own(z, c, var, at);
  *value = v->init;
  *from = v->declared;
  if (is_changed_again(z, c, v, at)) return false;
  if (n == 0 || c->at[n - 1].offset <= v->declared) return true;
  const change *last = &c->at[n - 1];
  if (last->kind != CHANGE_ASSIGNS || !blocks_is_certain(z->blocks, last->offset, at)) return false;
  value->begin = lex_find(text, last->offset, at, '=') + 1;
  value->end = lex_find(text, value->begin, at, ';');
  *from = last->offset;
  return value->end < at;
}

static const poly *read_name(sizes *z, const char *name, size_t at) {
  const poly *size = sizes_find(z, name);
  if (size && find_measured(z, size) < 0) return size;
  int var = changes_find_variable(z->blocks, z->storage, name, at);
  const fact_var *v = var >= 0 ? &z->m->facts->vars.at[var] : NULL;
  if (!v || v->holds != HOLDS_SCALAR) return NULL;
  span value = v->init;
  size_t from = v->declared;
  bool read = value.end > value.begin;
  if (read && !sizes_find_value(z, var, at, &value, &from)) return NULL;
  const poly *x = read ? sizes_read_text(z, value, from) : NULL;
  if (!x) x = define_unknown(z, v, value, from);
  int measured = find_measured(z, x);
  if (measured >= 0) read_assumptions(z, measured, var, from, at);
  return x;
}

static const poly *read_binary(sizes *z, const tree_expr *e, size_t at) {
  const poly *x = sizes_read_tree(z, e->first, at), *y = sizes_read_tree(z, e->first->next, at);
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
    return sizes_read_tree(z, a, at);
  if (!a || !b) return NULL;
  const poly *x = sizes_read_tree(z, a, at), *y = sizes_read_tree(z, b, at);
  ag_op op = ag_op_find(name, 2);
  if (op == AG_OP_DIV_FLOOR_INTEGER)
    return poly_is_positive(z->s, y) ? poly_divide(z->s, x, y) : NULL;
  bool least = op == AG_OP_MIN;
  if (!least && op != AG_OP_MAX) return NULL;
  return poly_extreme(z->s, x, y, least);
}

const poly *sizes_read_tree(sizes *z, const tree_expr *e, size_t at) {
  if (z->depth > READ_DEPTH) return NULL;
  z->depth++;
  const poly *x = NULL;
  switch (e->kind) {
    case TREE_INTEGER: x = poly_number(z->s, e->value); break;
    case TREE_NAME: x = read_name(z, e->text, at); break;
    case TREE_BINARY: x = read_binary(z, e, at); break;
    case TREE_CALL: x = read_call(z, e, at); break;
    case TREE_UNARY:
      if (ag_op_find(e->text, 1) == AG_OP_NEGATE)
        x = poly_subtract(z->s, poly_number(z->s, 0), sizes_read_tree(z, e->first, at));
      break;
    default: break;
  }
  z->depth--;
  return x;
}

const poly *sizes_read(sizes *z, const char *text, size_t n, size_t at) {
  const tree_expr *e = kernel_tree_read_expression(text, n, z->s->a);
  return e ? sizes_read_tree(z, e, at) : NULL;
}

const poly *sizes_of_dim(sizes *z, const aotigen_dim *d) {
  if (d->min == d->max && d->min != AOTIGEN_ANY) return poly_number(z->s, d->min);
  return d->symbol ? sizes_read(z, d->symbol, strlen(d->symbol), 0) : NULL;
}

int sizes_read_list(sizes *z, const char *list, size_t n, size_t at, const poly **to, int most) {
  int count = 0;
  for (size_t p = 0; p < n; count++) {
    size_t comma = lex_find(list, p, n, ',');
    if (count == most) return -1;
    to[count] = sizes_read(z, list + p, comma - p, at);
    p = comma + 1;
    while (p < n && list[p] == ' ') p++;
  }
  return count;
}

int sizes_read_array(sizes *z, span name, size_t at, const poly **to, int most) {
  const char *text = z->m->facts->text;
  int var = storage_find(z->storage, text + name.begin, name.end - name.begin, at);
  if (var < 0) return -1;
  const fact_var *v = &z->m->facts->vars.at[var];
  span init = v->init;
  size_t n = init.end - init.begin;
  if (n == strlen("nullptr") && memcmp(text + init.begin, "nullptr", n) == 0) return 0;
  if (n < 2 || text[init.begin] != '{') return -1;
  return sizes_read_list(z, text + init.begin + 1, n - 2, v->declared, to, most);
}

/* ---- launches ------------------------------------------------------------------------------- */

typedef struct launch_reader {
  sizes *z;
  range_launch *l;
  const site *site;
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

/* The VALUE of `NAME = VALUE;` for a local variable of the launcher. */
static const tree_expr *find_init(const launch_reader *reader, const char *name) {
  const char *text = reader->z->m->facts->text;
  span body = reader->launcher;
  for (size_t at = body.begin; (at = lex_find_word(text, at, body.end, name)) < body.end; at++) {
    size_t p = lex_skip_space(text, at + strlen(name), body.end);
    if (p >= body.end || text[p] != '=' || text[p + 1] == '=') continue;
    size_t begin = lex_skip_space(text, p + 1, body.end),
           end = lex_find(text, begin, body.end, ';');
    return kernel_tree_read_expression(text + begin, end - begin, reader->z->s->a);
  }
  return NULL;
}

/* Block of ((xnumel + (256 - 1)) / (256)); NULL of another expression. A grid whose y overflows is
 * parted once more: y_grid_raw_ is such a quotient, and the grid (y_grid_raw_ + (y_grid_div_ - 1))
 * / y_grid_div_. */
static const tree_expr *find_block(const launch_reader *reader, const tree_expr *e) {
  bool quotient = e && e->kind == TREE_BINARY && ag_op_find(e->text, 2) == AG_OP_DIVIDE;
  if (!quotient) return NULL;
  const tree_expr *sum = e->first, *by = sum->next;
  bool parted = by->kind == TREE_NAME && graph_find_param(reader->l->g, by->text) < 0;
  if (!parted) return by;
  bool named = sum->kind == TREE_BINARY && sum->first->kind == TREE_NAME;
  const tree_expr *raw = named ? find_init(reader, sum->first->text) : NULL;
  bool plain = raw && raw->kind == TREE_BINARY && ag_op_find(raw->text, 2) == AG_OP_DIVIDE;
  return plain ? raw->first->next : NULL;
}

/* What the call passes for a parameter of the launcher's own, such as a user's _grid_0. */
static const poly *find_passed(launch_reader *reader, const char *name) {
  const fact_call *c = reader->site->call;
  for (size_t i = 0; i < c->operands.n; i++) {
    const operand *x = &c->operands.at[i];
    if (x->kind == OPERAND_SCALAR && x->param >= 0 && !strcmp(c->params.at[x->param].name, name))
      return sizes_read_text(reader->z, x->text, c->offset);
  }
  return NULL;
}

/* An expression of a launcher, in which its parameters are what the kernel's are. */
static const poly *read_in_launcher(launch_reader *reader, const tree_expr *e, int depth) {
  sizes *z = reader->z;
  int param = e->kind == TREE_NAME ? graph_find_param(reader->l->g, e->text) : -1;
  if (param >= 0) return reader->params[param];
  if (e->kind == TREE_NAME) {
    const tree_expr *init = depth < READ_DEPTH ? find_init(reader, e->text) : NULL;
    return init ? read_in_launcher(reader, init, depth + 1) : find_passed(reader, e->text);
  }
  if (e->kind == TREE_INTEGER) return poly_number(z->s, e->value);
  if (e->kind != TREE_BINARY || depth > READ_DEPTH) return NULL;
  const poly *x = read_in_launcher(reader, e->first, depth + 1),
             *y = read_in_launcher(reader, e->first->next, depth + 1);
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
static void read_block(launch_reader *reader, int axis, const tree_expr *grid) {
  static const char *const names[] = {"XBLOCK", "YBLOCK", "ZBLOCK"};
  int param = graph_find_param(reader->l->g, names[axis]);
  if (param < 0 || reader->params[param]) return;
  const tree_expr *part = find_block(reader, grid);
  bool plain = grid->kind == TREE_NAME && graph_find_param(reader->l->g, grid->text) >= 0;
  if (part) reader->params[param] = read_in_launcher(reader, part, 0);
  if (plain) reader->params[param] = poly_number(reader->z->s, 1);
}

static void read_grid(launch_reader *reader) {
  for (int axis = 0; axis < 3; axis++) {
    const char *text = reader->launch->grid[axis];
    const tree_expr *grid = find_init(reader, text);
    if (!grid) grid = kernel_tree_read_expression(text, strlen(text), reader->z->s->a);
    if (!grid) continue;
    read_block(reader, axis, grid);
    reader->l->grid[axis] = read_in_launcher(reader, grid, 0);
  }
}

static void read_constants(launch_reader *reader, const triton *k) {
  for (size_t i = 0; k && i < k->params.n; i++) {
    int param = k->params.at[i].constant ? graph_find_param(reader->l->g, k->params.at[i].name)
                                         : -1;
    if (param >= 0) reader->params[param] = poly_number(reader->z->s, k->params.at[i].value);
  }
}

void sizes_of_launch(sizes *z, range_launch *l, const site *s, const argument *const *by_param) {
  launch_reader r = {.z = z,
                     .l = l,
                     .site = s,
                     .params = arena_alloc(z->s->a, (l->g->nparams + 1) * sizeof *r.params),
                     .launch = string_map_get(z->launches, s->kernel)};
  for (size_t i = 0; i < l->g->nparams; i++) {
    const argument *x = by_param[i];
    if (x && x->kind == AOTIGEN_SCALAR && x->operand)
      r.params[i] = sizes_read_text(z, x->operand->text, s->call->offset);
  }
  read_constants(&r, s->triton);
  l->params = r.params;
  if (!r.launch) return;
  r.launcher = find_launcher(z->m->facts, r.launch);
  read_grid(&r);
}
