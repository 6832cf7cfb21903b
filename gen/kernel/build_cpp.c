/* build_cpp.c - the functions that C++ kernels call, as nodes and effects: see builder.h. */
#include "kernel/builder.h"
#include <stdlib.h>
#include <string.h>

static const graph_value none = {.memory = -1};

/* ---- types ---------------------------------------------------------------------------------- */

/* "int64_t" of "int64_t,2,float,1": the first of the template arguments. */
static graph_type read_type(graph_builder *b, const char *text) {
  if (!text) return GRAPH_ANY;
  size_t n = strcspn(text, ",<[*&");
  while (n && text[n - 1] == ' ') n--;
  return graph_find_type(arena_strndup(b->a, text, n));
}

/* Number i of "float,16,static_cast<int64_t>(4L)"; -1 where there is none. */
static int64_t read_number(const char *text, int i) {
  static const char cast[] = "static_cast<int64_t>(";
  for (; text && i > 0; i--) {
    text = strchr(text, ',');
    if (text) text++;
  }
  while (text && *text == ' ') text++;
  if (text && strncmp(text, cast, sizeof cast - 1) == 0) text += sizeof cast - 1;
  char *end;
  long long n = text ? strtoll(text, &end, 10) : -1;
  return text && end > text ? n : -1;
}

/* ---- vectors -------------------------------------------------------------------------------- */

/* A vector without a count is as long as the step of the loop that goes by vectors. */
static graph_node *find_width(graph_builder *b) {
  for (int i = b->loop; i >= 0; i = b->g->loops.at[i].outer) {
    graph_node *step = b->g->loops.at[i].step;
    if (step && step->kind == NODE_INTEGER && step->value > 1) return step;
  }
  return graph_unknown(b->g, "a vector of which nothing tells the length", b->line);
}

/* The lanes of a vector at `at`, with the condition that limits their number. */
static graph_node *spread(graph_builder *b, graph_value *at, const tree_expr *count) {
  graph_node *lane = builder_lane(b), *n = count ? builder_node(b, count) : find_width(b);
  at->node = graph_binary(b->g, AG_OP_ADD, at->node, lane, b->line);
  return graph_binary(b->g, AG_OP_LESS, lane, n, b->line);
}

/* The mask of "mask.cast<float, 1>()". */
static graph_node *strip_cast(graph_node *mask) {
  bool cast = mask->op == AG_OP_CAST;
  return cast && mask->args[0]->type == GRAPH_BOOL ? mask->args[0] : mask;
}

/* V::loadu(p[, lanes]); mask.loadu<...>(p), which is 0 in lanes where the mask is not set. */
static graph_value read_loadu(graph_builder *b, const tree_expr *call) {
  const tree_expr *from = kernel_tree_argument(call, 0);
  if (!from) return none;
  graph_value at = builder_expr(b, from);
  if (at.memory < 0) return builder_load(b, at, NULL, NULL);
  graph_node *when = spread(b, &at, kernel_tree_argument(call, 1));
  bool masked = kernel_tree_is_method(call) && strcmp(kernel_tree_name(call->first), "loadu") == 0;
  if (!masked) return builder_load(b, at, when, NULL);
  when = graph_and(b->g, when, strip_cast(builder_node(b, call->first->first)));
  graph_node *zero = graph_cast(b->g, graph_integer(b->g, 0, GRAPH_I64),
                                b->g->memories.at[at.memory].type, b->line);
  graph_value loaded = builder_load(b, at, when, zero);
  b->g->accesses.at[b->g->accesses.n - 1].uncounted = !kernel_tree_argument(call, 1);
  return loaded;
}

static graph_value read_store(graph_builder *b, const tree_expr *call) {
  const tree_expr *to = kernel_tree_argument(call, 0);
  if (!to) return none;
  graph_value at = builder_expr(b, to);
  graph_node *value = builder_node(b, call->first->first);
  graph_node *when = at.memory < 0 ? NULL : spread(b, &at, kernel_tree_argument(call, 1));
  builder_store(b, ACCESS_STORE, at, value, when);
  return builder_value(value);
}

/* Vectorized<int>::arange(base, step) */
static graph_value read_arange(graph_builder *b, const tree_expr *call) {
  const tree_expr *from = kernel_tree_argument(call, 0), *by = kernel_tree_argument(call, 1);
  if (!from) return none;
  graph_node *lane = builder_lane(b);
  if (by) lane = graph_binary(b->g, AG_OP_MULTIPLY, lane, builder_node(b, by), b->line);
  graph_node *x = graph_binary(b->g, AG_OP_ADD, builder_node(b, from), lane, b->line);
  return builder_value(x);
}

/* One side of transpose_mxn(from, its stride, to, its stride): M rows of N. */
static graph_value place_tile(graph_builder *b, const tree_expr *p, const tree_expr *stride,
                              graph_node *row, graph_node *column) {
  graph_value at = builder_expr(b, p);
  if (at.memory < 0) return at;
  graph_node *first = graph_binary(b->g, AG_OP_MULTIPLY, row, builder_node(b, stride), b->line);
  at.node = graph_binary(b->g, AG_OP_ADD, at.node, first, b->line);
  at.node = graph_binary(b->g, AG_OP_ADD, at.node, column, b->line);
  return at;
}

static graph_node *tile_step(graph_builder *b, const char *name, graph_node *high) {
  const graph_loop l = {
      .kind = LOOP_TILE, .name = name, .low = graph_integer(b->g, 0, GRAPH_I64), .high = high};
  return builder_step(b, builder_add_loop(b, l), GRAPH_I64);
}

static graph_value read_transpose(graph_builder *b, const tree_expr *call) {
  const tree_expr *x[6];
  int64_t m = read_number(call->type, 1), n = read_number(call->type, 2);
  for (int i = 0; i < 6; i++) x[i] = kernel_tree_argument(call, i);
  if (!x[3] || (!x[5] && (m < 0 || n < 0))) {
    builder_lose(b, "a transposition whose sizes are not known");
    return builder_unknown(b, "a transposition whose sizes are not known");
  }
  graph_node *rows = x[5] ? builder_node(b, x[4]) : graph_integer(b->g, m, GRAPH_I64);
  graph_node *columns = x[5] ? builder_node(b, x[5]) : graph_integer(b->g, n, GRAPH_I64);
  graph_node *row = tile_step(b, "row", rows), *column = tile_step(b, "column", columns);
  graph_value v = builder_load(b, place_tile(b, x[0], x[1], row, column), NULL, NULL);
  builder_store(b, ACCESS_STORE, place_tile(b, x[2], x[3], column, row), builder_to_node(b, v),
                NULL);
  return v;
}

/* ---- memory --------------------------------------------------------------------------------- */

/* atomic_add(&p[i], x), atomic_add(p + i, x), atomic_add_vec(p, index, x[, lanes]) */
static graph_value read_atomic(graph_builder *b, const tree_expr *call, bool vector) {
  const tree_expr *to = kernel_tree_argument(call, 0), *index = NULL;
  const tree_expr *value = kernel_tree_argument(call, vector ? 2 : 1);
  if (!to || !value) return none;
  if (to->kind == TREE_UNARY && *to->text == '&' && to->first->kind == TREE_INDEX) {
    index = to->first->first->next;
    to = to->first->first;
  }
  graph_value at = builder_expr(b, to);
  if (vector) index = kernel_tree_argument(call, 1);
  if (index) at = builder_binary(b, AG_OP_ADD, at, builder_value(builder_node(b, index)));
  const tree_expr *count = vector ? kernel_tree_argument(call, 3) : NULL;
  graph_node *n = count ? builder_node(b, count) : vector ? find_width(b) : NULL;
  graph_node *lanes = n ? graph_binary(b->g, AG_OP_LESS, builder_lane(b), n, b->line) : NULL;
  graph_node *x = builder_node(b, value);
  builder_store(b, ACCESS_ATOMIC, at, x, lanes);
  return builder_value(x);
}

/* std::make_unique<float []>(10L) */
static graph_value read_array(graph_builder *b, const tree_expr *call) {
  const tree_expr *n = kernel_tree_argument(call, 0);
  int memory =
      builder_add_memory(b, "local", n ? builder_node(b, n) : NULL, read_type(b, call->type));
  return (graph_value){.node = graph_integer(b->g, 0, GRAPH_I64), .memory = memory};
}

/* ---- values --------------------------------------------------------------------------------- */

/* reinterpret_cast<const double*>(p); const_cast<float*>(p) keeps what it points to. */
static graph_value cast_pointer(graph_builder *b, graph_value v, const char *name,
                                const char *type) {
  if (strcmp(name, "const_cast") == 0) return v;
  bool points = type && strchr(type, '*');
  return builder_cast_pointer(b, v, points ? graph_read_type(type, strlen(type)) : GRAPH_ANY);
}

static graph_value read_cast(graph_builder *b, const tree_expr *call) {
  const tree_expr *x = kernel_tree_argument(call, 0);
  if (!x) return builder_value(graph_integer(b->g, 0, read_type(b, call->type)));
  graph_value v = builder_expr(b, x);
  const char *name = kernel_tree_name(call->first);
  if (v.memory >= 0 && strcmp(name, "from") == 0) return read_loadu(b, call); /* VecMask::from() */
  if (v.memory >= 0) return cast_pointer(b, v, name, call->type);
  if (v.n || v.lambda) return v;
  bool mask = strcmp(name, "VecMask") == 0 || strcmp(name, "from") == 0;
  if (mask && v.node && v.node->type == GRAPH_BOOL) return v;
  return builder_value(graph_cast(b->g, builder_to_node(b, v), read_type(b, call->type), b->line));
}

/* decltype(x)::blendv(a, b, mask) is b where the mask holds. */
static graph_value read_blend(graph_builder *b, const tree_expr *call) {
  const tree_expr *x = kernel_tree_argument(call, 0), *y = kernel_tree_argument(call, 1),
                  *test = kernel_tree_argument(call, 2);
  if (!test) return none;
  graph_node *args[] = {builder_node(b, test), builder_node(b, y), builder_node(b, x)};
  return builder_value(graph_op(b->g, AG_OP_WHERE, args[2]->type, 3, args, b->line));
}

static graph_value read_check(graph_builder *b, const tree_expr *call) {
  const tree_expr *test = kernel_tree_argument(call, 0), *text = kernel_tree_argument(call, 1);
  if (test) builder_assert(b, builder_node(b, test), text ? text->text : "");
  return builder_value(graph_integer(b->g, 0, GRAPH_I64));
}

/* For integers, which are never NaN, it is another operator. Older versions of torch write the
 * operators of division. */
static graph_value read_of_integers(graph_builder *b, const tree_expr *x, const tree_expr *y,
                                    ag_op op) {
  graph_node *args[] = {builder_node(b, x), builder_node(b, y)};
  if (graph_is_integer(args[0]->type) && graph_is_integer(args[1]->type))
    return builder_binary(b, ag_op_get(op)->of_integers, builder_value(args[0]),
                          builder_value(args[1]));
  return builder_value(graph_op(b->g, op, args[0]->type, 2, args, b->line));
}

static graph_value call_method(graph_builder *b, const tree_expr *call, const char *name,
                               ag_op op) {
  const tree_expr *self = call->first->first;
  if (strcmp(name, "store") == 0) return read_store(b, call);
  if (op == AG_OP_SAME) return builder_expr(b, self);
  if (strcmp(name, "is_masked") == 0 && kernel_tree_argument(call, 0)) {
    graph_node *args[] = {NULL, builder_node(b, kernel_tree_argument(call, 0))};
    graph_value of = builder_expr(b, self);
    if (args[1] == builder_lane(b)) return of;
    args[0] = builder_to_node(b, of);
    return builder_value(graph_op(b->g, AG_OP_IS_MASKED, GRAPH_BOOL, 2, args, b->line));
  }
  if (op == AG_OP_CAST) {
    graph_node *x = builder_node(b, self);
    return builder_value(graph_cast(b->g, x, read_type(b, call->type), b->line));
  }
  return none;
}

static graph_value call_memory(graph_builder *b, const tree_expr *call, const char *name) {
  bool vector = strncmp(name, "atomic_add_vec", 14) == 0;
  if (strcmp(name, "loadu") == 0) return read_loadu(b, call);
  if (strcmp(name, "arange") == 0) return read_arange(b, call);
  if (strcmp(name, "transpose_mxn") == 0) return read_transpose(b, call);
  if (strcmp(name, "make_unique") == 0) return read_array(b, call);
  if (vector || strcmp(name, "atomic_add") == 0) return read_atomic(b, call, vector);
  return none;
}

/* decltype(x)(1), of the type of x; NULL for another call. */
static graph_node *read_decltype(graph_builder *b, const tree_expr *call) {
  const tree_expr *type = call->first, *x = kernel_tree_argument(call, 0);
  const tree_expr *of = kernel_tree_is_decltype(type) ? kernel_tree_argument(type, 0) : NULL;
  return of && x ? graph_cast(b->g, builder_node(b, x), builder_node(b, of)->type, b->line) : NULL;
}

graph_value builder_call_cpp(graph_builder *b, const tree_expr *call) {
  const char *name = kernel_tree_name(call->first);
  const tree_expr *x = kernel_tree_argument(call, 0), *y = kernel_tree_argument(call, 1);
  ag_op op = ag_op_find_renamed(false, name), of = ag_op_find(name, 2);
  graph_node *like = read_decltype(b, call);
  if (like) return builder_value(like);
  graph_value v = call_memory(b, call, name);
  if (!v.node && !v.n) v = builder_call_welford(b, call, name);
  if (!v.node && !v.n) v = builder_call_sum(b, call, name);
  if (v.node || v.n) return v;
  if (kernel_tree_is_method(call)) {
    v = call_method(b, call, name, op);
    if (v.node || v.n) return v;
  }
  bool checks = strcmp(name, "AOTI_TORCH_CHECK") == 0 || strcmp(name, "TORCH_CHECK") == 0;
  if (checks) return read_check(b, call);
  if (strcmp(name, "blendv") == 0) return read_blend(b, call);
  if (op == AG_OP_CAST) return read_cast(b, call);
  if (x && op == AG_OP_SAME) return builder_expr(b, x);
  if (x && y && op)
    return builder_value(graph_binary(b->g, op, builder_node(b, x), builder_node(b, y), b->line));
  if (x && y && ag_op_get(of)->of_integers) return read_of_integers(b, x, y, of);
  return none;
}
