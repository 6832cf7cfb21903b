/* kernel_launch.h - one launch of a sample's kernel: read once, then checked for all sizes at once
 * and executed for each of them. */
#ifndef T_KERNEL_LAUNCH_H
#define T_KERNEL_LAUNCH_H

#include "check/check.h"
#include "check/kernel_calls.h"
#include "check/kernel_samples.h"
#include <unistd.h>

enum { LAUNCH_PARAMS = 24 };

typedef struct kernel_launch {
  bool python;
  int symbols;
  int64_t low, high; /* the range of each symbol */
  int n;
  struct {
    const char *name;
    char type;
    const tree_expr *value;
  } params[LAUNCH_PARAMS];
  kernel_tree tree;
  graph graph;
  arena *a;
} kernel_launch;

/* ---- the text ------------------------------------------------------------------------------- */

static void launch_read_params(kernel_launch *l, const char *text) {
  for (const char *p = text; *p; l->n++) {
    p += strspn(p, " ");
    size_t name = strcspn(p, ":"), value = strcspn(p + name + 3, " ");
    if (l->n == LAUNCH_PARAMS) abort();
    l->params[l->n].name = arena_strndup(l->a, p, name);
    l->params[l->n].type = p[name + 1];
    l->params[l->n].value = kernel_tree_read_expression(p + name + 3, value, l->a);
    if (!l->params[l->n].value) abort();
    p += name + 3 + value;
  }
}

static const char *launch_type(char type, bool python) {
  switch (type) {
    case 'f': return python ? "*fp32" : "float*";
    case 'l': return python ? "*i64" : "int64_t*";
    case 'i': return "i32";
    case 'c': return "constexpr";
    default: return python ? "i64" : "const int64_t";
  }
}

static const char *launch_signature(void *data, const char *param) {
  const kernel_launch *l = data;
  for (int i = 0; i < l->n; i++)
    if (strcmp(l->params[i].name, param) == 0) return launch_type(l->params[i].type, true);
  return NULL;
}

static void launch_read(kernel_launch *l, const kernel_sample *s, const char *params,
                        const char *body, arena *in) {
  *l = (kernel_launch){.python = s->python, .symbols = s->symbols, .a = in};
  launch_read_params(l, params);
  strbuf text = {0};
  strbuf_puts(&text, s->python ? "@triton.jit\ndef K(" : "extern \"C\" void K(");
  for (int i = 0; i < l->n; i++)
    strbuf_printf(&text, "%s%s%s%s", i ? ", " : "",
                  s->python ? "" : launch_type(l->params[i].type, false), s->python ? "" : " ",
                  l->params[i].name);
  strbuf_printf(&text, s->python ? "):\n%s" : ")\n{\n%s}\n", body);
  const char *copy = arena_strndup(in, text.at, text.n);
  if (s->python)
    kernel_tree_read_triton(&l->tree, copy, text.n, "K", in);
  else
    kernel_tree_read_cpp(&l->tree, copy, text.n, "K", in);
  graph_build(&l->graph, &l->tree, "K", s->python ? launch_signature : NULL, l, in);
  strbuf_free(&text);
}

/* ---- integers of the wrapper ---------------------------------------------------------------- */

static int symbol_of(const tree_expr *e) {
  return e->kind == TREE_NAME && e->text[0] == 's' ? e->text[1] - '0' : -1;
}

static int64_t launch_number(const tree_expr *e, const int64_t *sizes) {
  if (e->kind == TREE_INTEGER) return e->value;
  if (e->kind == TREE_NAME) return sizes[symbol_of(e)];
  int64_t x = launch_number(e->first, sizes), y = launch_number(e->first->next, sizes);
  switch (*e->text) {
    case '+': return x + y;
    case '-': return x - y;
    case '*': return x * y;
    default: return floor_quotient(x, y);
  }
}

static const poly *launch_poly(symbols *s, const tree_expr *e) {
  if (e->kind == TREE_INTEGER) return poly_number(s, e->value);
  if (e->kind == TREE_NAME) return poly_symbol(s, symbol_of(e));
  const poly *x = launch_poly(s, e->first), *y = launch_poly(s, e->first->next);
  switch (*e->text) {
    case '+': return poly_add(s, x, y);
    case '-': return poly_subtract(s, x, y);
    case '*': return poly_multiply(s, x, y);
    default: return poly_divide(s, x, y);
  }
}

static int launch_find(const kernel_launch *l, const char *name) {
  for (int i = 0; i < l->n; i++)
    if (strcmp(l->params[i].name, name) == 0) return i;
  return -1;
}

/* ---- the check ------------------------------------------------------------------------------ */

static const char *const numels[] = {"xnumel", "ynumel"}, *const blocks[] = {"XBLOCK", "YBLOCK"};

typedef struct launch_sizes {
  const poly *params[LAUNCH_PARAMS], *elements[LAUNCH_PARAMS];
  range_launch launch;
} launch_sizes;

static void launch_read_sizes(const kernel_launch *l, symbols *s, launch_sizes *to) {
  *to = (launch_sizes){.launch = {.g = &l->graph}};
  for (int i = 0; i < l->symbols; i++)
    symbols_add(s, (symbol){.name = i ? "s1" : "s0",
                            .kind = SYMBOL_SIZE,
                            .low = l->low,
                            .high = l->high,
                            .declared = l->high != INT64_MAX});
  for (int i = 0; i < l->n; i++)
    *(strchr("fl", l->params[i].type) ? &to->elements[i] : &to->params[i]) =
        launch_poly(s, l->params[i].value);
  to->launch.params = to->params;
  const poly *one = poly_number(s, 1);
  for (int i = 0; i < 3; i++) {
    int numel = i < 2 ? launch_find(l, numels[i]) : -1,
        block = i < 2 ? launch_find(l, blocks[i]) : -1;
    to->launch.grid[i] = one;
    if (numel < 0) continue;
    const poly *up = poly_add(s, to->params[numel], poly_subtract(s, to->params[block], one));
    to->launch.grid[i] = poly_divide(s, up, to->params[block]);
  }
}

static inline void launch_check(const kernel_launch *l, check *c, symbols *s) {
  launch_sizes sizes;
  launch_read_sizes(l, s, &sizes);
  check_launch(c, s, &sizes.launch, sizes.elements, l->a);
}

/* ---- the execution -------------------------------------------------------------------------- */

/* Checks a kernel, for 1 to 100 of s0, also one that no compiler writes: that takes a few seconds.
 */
static inline check launch_check_body(bool python, const char *params, const char *body,
                                      arena *in) {
  const kernel_sample k = {.name = "body", .python = python, .symbols = 1};
  kernel_launch l;
  check c = {0};
  alarm(20);
  launch_read(&l, &k, params, body, in);
  l.low = 1;
  l.high = 100;
  symbols sym = {.a = in};
  if (!l.graph.why) launch_check(&l, &c, &sym);
  alarm(0);
  return c;
}

/* For one choice of sizes; false where the oracle does not know what the kernel does. */
static bool launch_execute(const kernel_launch *l, oracle *o, const int64_t *sizes) {
  cell params[LAUNCH_PARAMS];
  o->t = &l->tree;
  o->nparams = l->n;
  memset(o->tiles, 0, sizeof o->tiles);
  o->ntiles = 0;
  for (int i = 0; i < 3; i++) o->programs[i] = 1;
  for (int i = 0; i < l->n; i++) {
    int64_t n = launch_number(l->params[i].value, sizes);
    char type = l->params[i].type;
    params[i] = cell_int(n, type == 'i' ? RANK_I32 : type == 'c' ? RANK_WEAK : RANK_I64);
    o->memories[i] = (oracle_memory){.name = l->params[i].name};
    if (strchr("fl", type)) {
      params[i] = (cell){.kind = CELL_POINTER, .memory = i};
      o->memories[i].elements = n;
      o->memories[i].integers = type == 'l';
    }
  }
  for (int i = 0; i < 2 && l->python; i++) {
    int numel = launch_find(l, numels[i]), block = launch_find(l, blocks[i]);
    if (numel >= 0)
      o->programs[i] = floor_quotient(params[numel].n + params[block].n - 1, params[block].n);
  }
  return oracle_execute_all(o, params);
}

/* For all sizes. */
static inline bool launch_execute_all(const kernel_launch *l, oracle *o) {
  int64_t sizes[2] = {l->low, l->low};
  o->vars = arena_alloc(l->a, (l->tree.variables.n + 1) * sizeof *o->vars);
  o->a = l->a;
  for (sizes[1] = l->low; sizes[1] <= (l->symbols > 1 ? l->high : l->low); sizes[1]++)
    for (sizes[0] = l->low; sizes[0] <= (l->symbols > 0 ? l->high : l->low); sizes[0]++)
      if (!launch_execute(l, o, sizes)) return false;
  return true;
}

/* The oracle's record of that access; NULL if the execution did not reach it. */
static inline const oracle_key *launch_key(const oracle *o, const kernel_launch *l,
                                           const graph_access *x) {
  for (int i = 0; i < o->nkeys; i++)
    if (o->keys[i].line == x->line && o->keys[i].kind == x->kind &&
        strcmp(o->keys[i].memory, l->graph.memories.at[x->memory].name) == 0)
      return &o->keys[i];
  return NULL;
}

#endif
