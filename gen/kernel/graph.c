/* graph.c - the nodes of a kernel's graph: see graph.h. */
#include "kernel/graph.h"
#include "base/string_map.h"
#include <string.h>

/* ---- types ---------------------------------------------------------------------------------- */

bool graph_is_integer(graph_type t) { return t >= GRAPH_WEAK && t <= GRAPH_I64; }

graph_type graph_find_type(const char *name) {
  static const struct {
    const char *name;
    graph_type type;
  } known[] = {
      {"int1", GRAPH_BOOL},         {"i1", GRAPH_BOOL},          {"u1", GRAPH_BOOL},
      {"uint8_t", GRAPH_U8},        {"unsigned char", GRAPH_U8}, {"u8", GRAPH_U8},
      {"int8_t", GRAPH_I8},         {"signed char", GRAPH_I8},   {"i8", GRAPH_I8},
      {"uint16_t", GRAPH_U16},      {"u16", GRAPH_U16},          {"int16_t", GRAPH_I16},
      {"short", GRAPH_I16},         {"i16", GRAPH_I16},          {"uint32_t", GRAPH_U32},
      {"u32", GRAPH_U32},           {"unsigned int", GRAPH_U32}, {"int32_t", GRAPH_I32},
      {"i32", GRAPH_I32},           {"uint64_t", GRAPH_U64},     {"u64", GRAPH_U64},
      {"unsigned long", GRAPH_U64}, {"int64_t", GRAPH_I64},      {"i64", GRAPH_I64},
      {"long", GRAPH_I64},          {"long long", GRAPH_I64},    {"at::Half", GRAPH_F16},
      {"half", GRAPH_F16},          {"c10::Half", GRAPH_F16},    {"fp16", GRAPH_F16},
      {"at::BFloat16", GRAPH_BF16}, {"bf16", GRAPH_BF16},        {"c10::BFloat16", GRAPH_BF16},
      {"bfloat16", GRAPH_BF16},     {"float", GRAPH_F32},        {"fp32", GRAPH_F32},
      {"double", GRAPH_F64},        {"fp64", GRAPH_F64},         {"fp8e4nv", GRAPH_F8},
      {"fp8e5", GRAPH_F8},          {"float8e4nv", GRAPH_F8},    {"float8e5", GRAPH_F8},
      {"int", GRAPH_I32},           {"size_t", GRAPH_U64},       {"half", GRAPH_F16},
      {"Half", GRAPH_F16},          {"BFloat16", GRAPH_BF16}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(name, known[i].name) == 0) return known[i].type;
  for (graph_type t = GRAPH_BOOL; t <= GRAPH_F64; t++)
    if (t != GRAPH_WEAK_FLOAT && strcmp(name, ag_graph_type_name(t)) == 0) return t;
  return GRAPH_ANY;
}

/* Skips "const", "alignas(64)" and other words that are no part of an element's type. */
static const char *skip_words(const char *p, const char *end) {
  static const char *const words[] = {"const ",        "constexpr ", "static ",
                                      "__at_align__ ", " ",          NULL};
  for (const char *const *w = words; *w; w++) {
    size_t n = strlen(*w);
    if ((size_t)(end - p) >= n && memcmp(p, *w, n) == 0) return skip_words(p + n, end);
  }
  const char *close = (size_t)(end - p) > 8 && memcmp(p, "alignas(", 8) == 0
                          ? memchr(p, ')', (size_t)(end - p))
                          : NULL;
  return close ? skip_words(close + 1, end) : p;
}

graph_type graph_read_type(const char *text, size_t n) {
  char name[40];
  const char *p = skip_words(text, text + n), *end = text + n;
  while (end > p && strchr(" *&", end[-1])) end--;
  if ((size_t)(end - p) >= sizeof name || end <= p) return GRAPH_ANY;
  memcpy(name, p, (size_t)(end - p));
  name[end - p] = '\0';
  char *more = strstr(name, "const");
  if (more && more > name && more[-1] == ' ') more[-1] = '\0';
  return graph_find_type(*name == '*' ? name + 1 : name);
}

/* ---- making them ---------------------------------------------------------------------------- */

static graph_node *add_node(graph *g, const graph_node *made) {
  graph_node *x = arena_alloc(g->a, sizeof *x);
  *x = *made;
  x->number = (unsigned)g->nodes.n;
  *arena_push(g->a, &g->nodes) = x;
  return x;
}

static graph_node *find_or_add(graph *g, const graph_node *made) {
  if (!g->index) g->index = string_map_create(g->a);
  strbuf key = {0};
  strbuf_printf(&key, "%d %d %d %d %lld %s", made->kind, made->op, made->type, made->index,
                (long long)made->value, made->text ? made->text : "");
  for (int i = 0; i < made->n; i++) strbuf_printf(&key, " %u", made->args[i]->number);
  graph_node *x = string_map_get(g->index, key.at);
  if (!x) {
    x = add_node(g, made);
    string_map_put(g->index, arena_strndup(g->a, key.at, key.n), x);
  }
  strbuf_free(&key);
  return x;
}

graph_node *graph_integer(graph *g, int64_t value, graph_type type) {
  const graph_node x = {.kind = NODE_INTEGER, .type = type, .value = value};
  return find_or_add(g, &x);
}

graph_node *graph_float(graph *g, const char *text, graph_type type) {
  const graph_node x = {.kind = NODE_FLOAT, .type = type, .text = text};
  graph_node *made = find_or_add(g, &x);
  if (made->text == text) made->text = arena_strdup(g->a, text);
  return made;
}

graph_node *graph_unknown(graph *g, const char *why, unsigned line) {
  g->has_unknown = true;
  const graph_node x = {.kind = NODE_UNKNOWN, .text = why, .line = line, .index = (int)g->nodes.n};
  return find_or_add(g, &x);
}

graph_node *graph_unknown_sum(graph *g, const char *why, int n, graph_node **of, unsigned line) {
  graph_node *x = graph_unknown(g, why, line);
  x->value = n;
  x->args = arena_alloc(g->a, (size_t)n * sizeof *x->args + 1);
  if (n) memcpy(x->args, of, (size_t)n * sizeof *of);
  return x;
}

graph_node *graph_leaf(graph *g, enum node_kind kind, int index, graph_type type) {
  const graph_node x = {.kind = kind, .index = index, .type = type};
  return find_or_add(g, &x);
}

/* True if the value fits an integer of the type. A constant of Python has 64 bits here. */
static bool fits(graph_type type, int64_t value) {
  int bits = 8 * ag_graph_type_bytes(type);
  if (type == GRAPH_BOOL) return value == 0 || value == 1;
  bool is_unsigned = type == GRAPH_U8 || type == GRAPH_U16 || type == GRAPH_U32 ||
                     type == GRAPH_U64;
  if (is_unsigned) return value >= 0 && (bits == 64 || value >> bits == 0);
  return bits == 0 || bits == 64 ||
         (value >= -((int64_t)1 << (bits - 1)) && value < (int64_t)1 << (bits - 1));
}

/* False if the operator is not folded. */
static bool fold(ag_op op, int64_t x, int64_t y, int64_t *z) {
  bool divides = op == AG_OP_FLOOR_DIVIDE || op == AG_OP_MODULO;
  if (divides && (x < 0 || y <= 0)) return false;
  if (op == AG_OP_ADD) return !__builtin_add_overflow(x, y, z);
  if (op == AG_OP_SUBTRACT) return !__builtin_sub_overflow(x, y, z);
  if (op == AG_OP_MULTIPLY) return !__builtin_mul_overflow(x, y, z);
  if (divides) *z = op == AG_OP_MODULO ? x % y : x / y;
  return divides;
}

static graph_node *make_op(graph *g, ag_op op, const char *text, graph_type type, int n,
                           graph_node **args, unsigned line) {
  int64_t value;
  if (n == 2 && args[0]->kind == NODE_INTEGER && args[1]->kind == NODE_INTEGER &&
      graph_is_integer(type) && fold(op, args[0]->value, args[1]->value, &value) &&
      fits(type, value))
    return graph_integer(g, value, type);
  graph_node x = {
      .kind = NODE_OP, .type = type, .op = op, .text = text, .n = n, .line = line, .args = args};
  size_t before = g->nodes.n;
  graph_node *made = find_or_add(g, &x);
  if (g->nodes.n == before) return made;
  for (int i = 0; i < n; i++)
    if (args[i]->depth >= made->depth) made->depth = args[i]->depth + 1;
  if (made->depth > g->depth) g->depth = made->depth;
  made->args = arena_alloc(g->a, (size_t)n * sizeof *made->args + 1);
  if (n) memcpy(made->args, args, (size_t)n * sizeof *args);
  if (!op) made->text = arena_strdup(g->a, text);
  return made;
}

graph_node *graph_op(graph *g, ag_op op, graph_type type, int n, graph_node **args, unsigned line) {
  return make_op(g, op, ag_op_get(op)->text, type, n, args, line);
}

graph_node *graph_call(graph *g, const char *name, graph_type type, int n, graph_node **args,
                       unsigned line) {
  ag_op op = ag_op_find(name, n);
  return make_op(g, op, op ? ag_op_get(op)->text : name, type, n, args, line);
}

bool graph_is_program(const graph_node *node) { return node->op == AG_OP_PROGRAM_ID; }

int graph_program_axis(const graph_node *node) {
  bool number = graph_is_program(node) && node->args[0]->kind == NODE_INTEGER;
  return number && node->args[0]->value >= 0 && node->args[0]->value < 3 ? (int)node->args[0]->value
                                                                         : -1;
}

/* A constant of Python takes the type of the other operand, if it is of the same kind. */
static graph_type join_types(graph_type x, graph_type y) {
  if (x == GRAPH_ANY || y == GRAPH_ANY) return GRAPH_ANY;
  if (x == y) return x;
  if (ag_graph_type_is_float(x) != ag_graph_type_is_float(y)) {
    graph_type real = ag_graph_type_is_float(x) ? x : y, whole = ag_graph_type_is_float(x) ? y : x;
    return real == GRAPH_WEAK_FLOAT && whole != GRAPH_WEAK ? GRAPH_F32 : real;
  }
  return x > y ? x : y;
}

/* A constant that an int32 cannot hold is an int64 already. */
static graph_type type_of(const graph_node *node) {
  bool wide = node->kind == NODE_INTEGER && node->type == GRAPH_WEAK &&
              (node->value > INT32_MAX || node->value < INT32_MIN);
  return wide ? GRAPH_I64 : node->type;
}

/* True for 16 * (16 <= XBLOCK): a number, in C++ and in Python. */
static bool counts_truth(ag_op op, const graph_node *x, const graph_node *y) {
  bool literal = (x->type == GRAPH_WEAK && y->type == GRAPH_BOOL) ||
                 (x->type == GRAPH_BOOL && y->type == GRAPH_WEAK);
  return literal && (op == AG_OP_ADD || op == AG_OP_SUBTRACT || op == AG_OP_MULTIPLY);
}

graph_node *graph_binary(graph *g, ag_op op, graph_node *x, graph_node *y, unsigned line) {
  graph_type type = join_types(type_of(x), type_of(y));
  if (ag_op_is_comparison(op)) type = GRAPH_BOOL;
  if (counts_truth(op, x, y)) type = GRAPH_I32;
  if (op == AG_OP_DIVIDE && graph_is_integer(type)) {
    if (g->python) type = GRAPH_F32;
    if (!g->python) op = ag_op_get(op)->of_integers;
  }
  bool from_zero = x->kind == NODE_INTEGER && !x->value && y->type == type;
  if (from_zero && op == AG_OP_ADD) return y;
  graph_node *args[] = {x, y};
  return graph_op(g, op, type, 2, args, line);
}

graph_node *graph_binary_named(graph *g, const char *text, graph_node *x, graph_node *y,
                               unsigned line) {
  graph_node *args[] = {x, y};
  return graph_call(g, text, join_types(type_of(x), type_of(y)), 2, args, line);
}

graph_node *graph_cast(graph *g, graph_node *x, graph_type type, unsigned line) {
  if (x->type == type || type == GRAPH_ANY) return x;
  if (x->kind == NODE_INTEGER && graph_is_integer(type) && type != GRAPH_BOOL &&
      fits(type, x->value))
    return graph_integer(g, x->value, type);
  return graph_op(g, AG_OP_CAST, type, 1, &x, line);
}

graph_node *graph_and(graph *g, graph_node *x, graph_node *y) {
  if (!x || !y || x == y) return x ? x : y;
  graph_node *args[] = {x, y};
  return graph_op(g, AG_OP_AND, GRAPH_BOOL, 2, args, 0);
}

graph_node *graph_not(graph *g, graph_node *node) {
  if (!node) return graph_integer(g, 0, GRAPH_BOOL);
  return graph_op(g, AG_OP_NOT, GRAPH_BOOL, 1, &node, 0);
}

int graph_find_param(const graph *g, const char *name) {
  for (size_t i = 0; i < g->nparams; i++)
    if (strcmp(g->params[i].name, name) == 0) return (int)i;
  return -1;
}

/* ---- walks ---------------------------------------------------------------------------------- */

typedef struct walk {
  const graph *g;
  graph_node *
      *seen; /* by number; a walk takes as long as what it visits, however large the graph */
  size_t nseen, room;
  arena_list(graph_node *) pending;
  arena *a;
} walk;

/* The place of the node in the set, or where it belongs. */
static graph_node **find_seen(const walk *w, const graph_node *node) {
  size_t i = node->number * 2654435761u & (w->room - 1);
  while (w->seen[i] && w->seen[i] != node) i = (i + 1) & (w->room - 1);
  return &w->seen[i];
}

static void grow_seen(walk *w) {
  walk old = *w;
  w->room = old.room ? old.room * 4 : 32;
  w->seen = arena_alloc(w->a, w->room * sizeof *w->seen);
  for (size_t i = 0; i < old.room; i++)
    if (old.seen[i]) *find_seen(w, old.seen[i]) = old.seen[i];
}

static void walk_to(walk *w, graph_node *node) {
  if (!node) return;
  if (2 * w->nseen >= w->room) grow_seen(w);
  graph_node **at = find_seen(w, node);
  if (*at) return;
  *at = node;
  w->nseen++;
  *arena_push(w->a, &w->pending) = node;
}

static void walk_below(walk *w, graph_node *node) {
  for (int i = 0; i < node->n; i++) walk_to(w, node->args[i]);
  if (node->kind == NODE_LOAD) {
    const graph_access *l = &w->g->accesses.at[node->index];
    walk_to(w, l->index);
    walk_to(w, l->when);
    walk_to(w, l->other);
  }
  if (node->kind == NODE_CARRIED || node->kind == NODE_AFTER) {
    walk_to(w, w->g->carried.at[node->index].first);
    walk_to(w, w->g->carried.at[node->index].next);
  }
}

void graph_each_but(const graph *g, graph_node *node, graph_skip *skip, graph_visit *visit,
                    void *data) {
  arena *a = arena_new();
  walk w = {.g = g, .a = a};
  walk_to(&w, node);
  while (w.pending.n) {
    graph_node *next = w.pending.at[--w.pending.n];
    if (skip && skip(data, next)) continue;
    if (visit) visit(data, next);
    walk_below(&w, next);
  }
  arena_free(a);
}

void graph_each(const graph *g, graph_node *node, graph_visit *visit, void *data) {
  graph_each_but(g, node, NULL, visit, data);
}

static void note_unknown(void *data, graph_node *node) {
  const char **why = data;
  if (node->kind == NODE_UNKNOWN) *why = node->text;
}

const char *graph_find_unknown(const graph *g, graph_node *node) {
  const char *why = NULL;
  if (node && g->has_unknown) graph_each(g, node, note_unknown, &why);
  return why;
}
