/* build_values.c - what builder.h offers to the readers of expressions and of calls: effects,
 * loops, memory, operators. */
#include "kernel/builder.h"
#include <string.h>

const char *builder_name(graph_builder *b, int variable) {
  const char **name = &b->names[variable];
  if (!*name) *name = arena_strdup(b->g->a, b->t->variables.at[variable].name);
  return *name;
}

graph_value builder_value(graph_node *node) { return (graph_value){.node = node, .memory = -1}; }

graph_value builder_unknown(graph_builder *b, const char *why) {
  return builder_value(graph_unknown(b->g, why, b->line));
}

int builder_add_loop(graph_builder *b, graph_loop l) {
  l.outer = b->loop;
  l.when = b->when;
  l.line = b->line;
  *arena_push(b->g->a, &b->g->loops) = l;
  return (int)b->g->loops.n - 1;
}

graph_node *builder_step(graph_builder *b, int loop, graph_type type) {
  return graph_leaf(b->g, NODE_STEP, loop, type);
}

int builder_add_memory(graph_builder *b, const char *name, graph_node *elements, graph_type type) {
  *arena_push(b->g->a, &b->g->memories) =
      (graph_memory){.name = name, .param = -1, .elements = elements, .type = type};
  return (int)b->g->memories.n - 1;
}

/* ---- effects -------------------------------------------------------------------------------- */

void builder_lose(graph_builder *b, const char *why) {
  if (!b->g->not_understood.n++) b->g->not_understood.why = why;
}

void builder_escape(graph_builder *b, graph_value v, const char *to, const char *why) {
  builder_lose(b, why);
  if (v.memory >= 0)
    *arena_push(b->g->a, &b->g->escapes) = (graph_escape){.memory = v.memory,
                                                          .to = arena_strdup(b->g->a, to),
                                                          .order = b->order,
                                                          .loop = b->loop,
                                                          .when = b->when};
}

static const char *why_lost(const graph_builder *b, graph_value v) {
  const char *why = v.node ? graph_find_unknown(b->g, v.node) : NULL;
  return why ? why : "a pointer that does not come from a parameter";
}

static graph_access *add_access(graph_builder *b, enum access_kind kind, graph_value at,
                                graph_node *when) {
  graph_access *x = arena_push(b->g->a, &b->g->accesses);
  *x = (graph_access){.kind = kind,
                      .memory = at.memory,
                      .index = at.node,
                      .when = graph_and(b->g, b->when, graph_and(b->g, at.when, when)),
                      .partly = b->partly,
                      .updates = b->updates,
                      .loop = b->loop,
                      .line = b->line,
                      .order = b->order++};
  return x;
}

/* ---- lanes ---------------------------------------------------------------------------------- */

graph_node *builder_lane(graph_builder *b) {
  for (size_t i = b->g->loops.n; i-- > 0;)
    if (b->g->loops.at[i].kind == LOOP_LANES && b->g->loops.at[i].outer == b->loop)
      return builder_step(b, (int)i, GRAPH_I64);
  const graph_loop l = {
      .kind = LOOP_LANES,
      .name = b->loop < 0 ? "lane"
                          : arena_printf(b->g->a, "%s_lane", b->g->loops.at[b->loop].name)};
  return builder_step(b, builder_add_loop(b, l), GRAPH_I64);
}

/* n of "lane < n"; NULL for another condition. */
static graph_node *find_lanes(graph_builder *b, const graph_node *when, const graph_node *lane) {
  bool less = when && when->op == AG_OP_LESS;
  if (b->g->python) return NULL;
  return less && when->args[0] == lane ? when->args[1] : NULL;
}

/* Reads an element of an array of the kernel's own that belongs to a lane: its place, and the
 * condition without the lane's. */
static bool read_place(graph_builder *b, graph_value at, graph_node *when,
                       struct builder_held *held) {
  if (b->g->python || at.memory < 0 || b->g->memories.at[at.memory].param >= 0) return false;
  graph_node *lane = builder_lane(b), *here = b->when;
  if (at.node != lane || at.when) return false;
  *held = (struct builder_held){.when = here, .loop = b->loop};
  held->lanes = find_lanes(b, when, lane);
  if (held->lanes || when) return held->lanes != NULL;
  held->lanes = find_lanes(b, here, lane);
  held->when = NULL;
  if (held->lanes) return true;
  bool both = here && here->op == AG_OP_AND;
  held->lanes = both ? find_lanes(b, here->args[1], lane) : NULL;
  if (held->lanes) held->when = here->args[0];
  return held->lanes != NULL;
}

/* The value of a lane in such an array: the one that was stored to the same lane, if the store is
 * made wherever the load is. */
static graph_node *find_held(graph_builder *b, graph_value from, graph_node *when) {
  struct builder_held now;
  if (from.memory < 0 || (size_t)from.memory >= b->held.n) return NULL;
  const struct builder_held *then = &b->held.at[from.memory];
  if (!then->value || !read_place(b, from, when, &now)) return NULL;
  graph_type type = b->g->memories.at[from.memory].type;
  bool same = then->when == now.when && then->lanes == now.lanes && then->loop == now.loop;
  bool integers = graph_is_integer(type) && graph_is_integer(then->value->type);
  return same && integers ? graph_cast(b->g, then->value, type, b->line) : NULL;
}

static void note_held(graph_builder *b, graph_value to, graph_node *value, graph_node *when) {
  struct builder_held held;
  bool own = to.memory >= 0 && b->g->memories.at[to.memory].param < 0;
  while (own && b->held.n <= (size_t)to.memory)
    *arena_push(b->a, &b->held) = (struct builder_held){0};
  if (!own) return;
  bool known = read_place(b, to, when, &held);
  held.value = value;
  b->held.at[to.memory] = known ? held : (struct builder_held){0};
}

graph_value builder_load(graph_builder *b, graph_value from, graph_node *when, graph_node *other) {
  if (from.memory < 0) {
    builder_lose(b, why_lost(b, from));
    return builder_unknown(b, why_lost(b, from));
  }
  graph_access *x = add_access(b, ACCESS_LOAD, from, when);
  x->other = other;
  x->selected = b->depth > 0 || (b->g->python && when);
  x->updates = false;
  graph_node *held = find_held(b, from, when);
  if (held) return builder_value(held);
  graph_node *loaded =
      graph_leaf(b->g, NODE_LOAD, (int)b->g->accesses.n - 1, b->g->memories.at[from.memory].type);
  loaded->line = b->line;
  return builder_value(loaded);
}

void builder_store(graph_builder *b, enum access_kind kind, graph_value to, graph_node *value,
                   graph_node *when) {
  if (to.memory < 0)
    builder_lose(b, why_lost(b, to));
  else
    add_access(b, kind, to, when)->value = value;
  note_held(b, to, kind == ACCESS_STORE ? value : NULL, when);
}

void builder_assert(graph_builder *b, graph_node *holds, const char *text) {
  *arena_push(b->g->a, &b->g->asserts) =
      (graph_assert){.holds = holds,
                     .when = b->when,
                     .text = text ? arena_strdup(b->g->a, text) : "",
                     .line = b->line,
                     .order = b->order++};
}

enum { DEMANDS_MOST = 512 };

/* The condition of a division, as far as it was collected. */
typedef struct division {
  graph *g;
  graph_node *when;
} division;

/* A load is made where its condition holds; elsewhere it has another value, which then is the
 * divisor. */
static void note_condition(void *data, graph_node *node) {
  division *d = data;
  const graph_access *load = node->kind == NODE_LOAD ? &d->g->accesses.at[node->index] : NULL;
  if (load && !load->other) d->when = graph_and(d->g, d->when, load->when);
}

/* x of "set(1, x, n)", in the first n lanes; x of "blend(1, x)", whose further lanes no vector of
 * the kernel has. */
static graph_node *strip_lanes(graph_builder *b, graph_node *by, division *d) {
  if (by->op == AG_OP_BLEND) return by->args[1];
  if (by->op != AG_OP_SET) return by;
  graph_node *lanes = graph_binary(b->g, AG_OP_LESS, builder_lane(b), by->args[2], b->line);
  d->when = graph_and(b->g, d->when, lanes);
  return by->args[1];
}

/* A kernel divides the same numbers twice to round down. */
static void add_demand(graph_builder *b, graph_node *holds, const division *d, const char *text) {
  enum { NEAR = 4 }; /* two demands for each division */
  graph_asserts *all = &b->g->divisions;
  if (all->n == DEMANDS_MOST) return;
  for (size_t i = all->n; i > 0 && i + NEAR > all->n; i--)
    if (all->at[i - 1].holds == holds && all->at[i - 1].when == d->when) return;
  *arena_push(b->g->a, all) = (graph_assert){
      .holds = holds, .when = d->when, .text = text, .line = b->line, .order = b->order++};
}

static graph_node *differs(graph_builder *b, graph_node *node, int64_t from) {
  return graph_binary(b->g, AG_OP_NOT_EQUAL, node, graph_integer(b->g, from, node->type), b->line);
}

/* Notes a division of integers: `by` must not be 0, and the least number must not be divided by
 * -1. */
static void note_division(graph_builder *b, graph_node *node, graph_node *by) {
  division d = {.g = b->g, .when = b->when};
  if (by->kind == NODE_INTEGER) return;
  by = strip_lanes(b, by, &d);
  graph_each(b->g, by, note_condition, &d);
  add_demand(b, differs(b, by, 0), &d, "\"" GRAPH_DIVISOR "\"");
  if (node->kind == NODE_INTEGER || node->type != by->type) return; /* not what Inductor writes */
  if (node->type != GRAPH_I32 && node->type != GRAPH_I64) return; /* divided in an int: that fits */
  int64_t least = node->type == GRAPH_I32 ? INT32_MIN : INT64_MIN;
  node = strip_lanes(b, node, &d);
  graph_each(b->g, node, note_condition, &d);
  graph_node *fits =
      graph_binary(b->g, AG_OP_OR, differs(b, by, -1), differs(b, node, least), b->line);
  add_demand(b, fits, &d, "\"" GRAPH_QUOTIENT "\"");
}

/* ---- values --------------------------------------------------------------------------------- */

bool builder_has_pointer(graph_value v) {
  bool has = v.memory >= 0;
  for (int i = 0; i < v.n && !has; i++) has = builder_has_pointer(v.items[i]);
  return has;
}

graph_node *builder_to_node(graph_builder *b, graph_value v) {
  static const char pointer[] = "a pointer that is used as a value";
  if (builder_has_pointer(v)) { /* loads through it are not seen */
    builder_escape(b, v, "", pointer);
    return graph_unknown(b->g, pointer, b->line);
  }
  if (v.n) return graph_unknown(b->g, "several values that are used as one", b->line);
  if (v.lambda) return graph_unknown(b->g, "a function that is used as a value", b->line);
  return v.node ? v.node : graph_unknown(b->g, "a variable without a value", b->line);
}

graph_value builder_cast_pointer(graph_builder *b, graph_value v, graph_type to) {
  static const char why[] = "a pointer that is cast to one of elements of another size";
  int bytes = ag_graph_type_bytes(to);
  if (bytes && bytes == ag_graph_type_bytes(b->g->memories.at[v.memory].type)) return v;
  builder_lose(b, why);
  return builder_unknown(b, why);
}

const tree_expr *builder_argument(const tree_expr *call, const char *name, int place) {
  const tree_expr *named = kernel_tree_keyword(call, name);
  return named || place < 0 ? named : kernel_tree_argument(call, place);
}

/* ---- steps that are one variable ------------------------------------------------------------ */

static int find_program(const graph_node *node, ag_op op) {
  return node->op == op && node->args[0]->kind == NODE_INTEGER ? (int)node->args[0]->value : -1;
}

/* node of node.to(tl.int64). */
static const graph_node *skip_widening(const graph_node *node) {
  bool wide = node->op == AG_OP_CAST && node->type == GRAPH_I64;
  return wide && node->args[0]->type == GRAPH_I32 ? node->args[0] : node;
}

/* program_id(axis); GRAPH_AXIS_YZ for program_id(1) + program_id(2) * num_programs(1) where y
 * overflows. */
static int find_axis(const graph_node *node) {
  node = skip_widening(node);
  int axis = find_program(node, AG_OP_PROGRAM_ID);
  if (axis >= 0) return axis < 3 ? axis : -1;
  if (node->op != AG_OP_ADD || find_program(node->args[0], AG_OP_PROGRAM_ID) != 1 ||
      node->args[1]->op != AG_OP_MULTIPLY)
    return -1;
  graph_node *const *by = node->args[1]->args;
  for (int i = 0; i < 2; i++)
    if (find_program(by[i], AG_OP_PROGRAM_ID) == 2 &&
        find_program(by[1 - i], AG_OP_NUM_PROGRAMS) == 1)
      return GRAPH_AXIS_YZ;
  return -1;
}

/* The block of "program * block"; NULL of another node. */
static graph_node *find_block(const graph_node *node, int *axis) {
  for (int i = 0; node->op == AG_OP_MULTIPLY && i < 2; i++) {
    *axis = find_axis(node->args[i]);
    if (*axis >= 0) return node->args[1 - i];
  }
  return NULL;
}

static const graph_loop *find_tile(const graph_builder *b, const graph_node *node) {
  node = skip_widening(node);
  const graph_loop *l = node->kind == NODE_STEP ? &b->g->loops.at[node->index] : NULL;
  bool from_zero = l && l->kind == LOOP_TILE && l->low->kind == NODE_INTEGER && l->low->value == 0;
  return from_zero ? l : NULL;
}

/* The loop that was made for the same pair before: the variable is the same. */
static graph_node *reuse_step(graph_builder *b, const graph_loop *made, graph_type type) {
  for (size_t i = 0; i < b->g->loops.n; i++) {
    const graph_loop *l = &b->g->loops.at[i];
    if (l->kind == made->kind && l->axis == made->axis && l->step == made->step &&
        l->tile == made->tile && l->over == made->over && l->outer == b->loop)
      return builder_step(b, (int)i, type);
  }
  return builder_step(b, builder_add_loop(b, *made), type);
}

static const char *name_axis(int axis) {
  static const char *const names[] = {"x", "y", "z", "y"};
  return names[axis];
}

/* Triton: pid * BLOCK + arange(0, BLOCK) is a single variable that goes over all elements. NULL if
 * x + y does not have such a form. */
static graph_node *join_steps(graph_builder *b, graph_node *x, graph_node *y) {
  const graph_loop *tile = find_tile(b, y);
  int axis;
  if (!tile || !b->g->python) return NULL;
  graph_type type = x->type == GRAPH_I64 || y->type == GRAPH_I64 ? GRAPH_I64 : GRAPH_I32;
  graph_node *block = find_block(x, &axis);
  if (block && block == tile->high) {
    const graph_loop l = {.kind = LOOP_GRID,
                          .name = name_axis(axis),
                          .axis = axis,
                          .step = block,
                          .tile = skip_widening(y)->index};
    return reuse_step(b, &l, type);
  }
  x = (graph_node *)(uintptr_t)skip_widening(x);
  const graph_loop *f = x->kind == NODE_STEP ? &b->g->loops.at[x->index] : NULL;
  if (!f || f->kind != LOOP_FOR || f->step != tile->high) return NULL;
  const graph_loop l = {.kind = LOOP_BLOCKS,
                        .name = tile->name,
                        .low = f->low,
                        .high = f->high,
                        .step = f->step,
                        .tile = skip_widening(y)->index,
                        .over = x->index};
  return reuse_step(b, &l, type);
}

/* ---- operators ------------------------------------------------------------------------------ */

graph_value builder_add(graph_builder *b, ag_op op, graph_value p, graph_value x) {
  graph_node *by = builder_to_node(b, x);
  p.node = graph_binary(b->g, op, p.node, by, b->line);
  return p;
}

graph_value builder_binary(graph_builder *b, ag_op op, graph_value x, graph_value y) {
  bool plus = op == AG_OP_ADD;
  if (x.memory >= 0 && y.memory < 0 && (plus || op == AG_OP_SUBTRACT))
    return builder_add(b, op, x, y);
  if (plus && y.memory >= 0 && x.memory < 0) return builder_add(b, op, y, x);
  graph_node *left = builder_to_node(b, x), *right = builder_to_node(b, y);
  graph_node *joined = plus ? join_steps(b, left, right) : NULL;
  if (plus && !joined) joined = join_steps(b, right, left);
  bool divides = op == AG_OP_DIVIDE || op == AG_OP_MODULO;
  if (divides && !b->g->python && graph_is_integer(left->type) && graph_is_integer(right->type))
    note_division(b, left, right);
  return builder_value(joined ? joined : graph_binary(b->g, op, left, right, b->line));
}

graph_value builder_binary_named(graph_builder *b, const char *text, graph_value x, graph_value y) {
  ag_op op = ag_op_find(text, 2);
  if (!op) op = ag_op_find_renamed(b->g->python, text);
  if (op) return builder_binary(b, op, x, y);
  graph_node *left = builder_to_node(b, x), *right = builder_to_node(b, y);
  return builder_value(graph_binary_named(b->g, text, left, right, b->line));
}
