/* build_triton.c - Triton's functions, as nodes and effects: see builder.h. */
#include "kernel/builder.h"
#include "kernel/descriptor_call.h"
#include <ctype.h>
#include <string.h>

enum { DIMENSIONS_MAX = 8 }; /* a block's */

static const graph_value none = {.memory = -1};

/* The type of a variable such as INDEX_DTYPE : tl.constexpr = tl.int32; NULL for another. */
static const graph_node *find_named_type(const graph_builder *b, const tree_expr *e) {
  bool name = e->kind == TREE_NAME && e->variable >= 0;
  const graph_node *x = name ? b->vars[e->variable].node : NULL;
  return x && x->kind == NODE_OP && x->n == 0 ? x : NULL;
}

/* The type that an expression such as tl.float32 or tmp5.dtype names. */
static graph_type read_type(graph_builder *b, const tree_expr *e) {
  if (!e) return GRAPH_ANY;
  const graph_node *named = find_named_type(b, e);
  if (named) return graph_find_type(named->text);
  if (e->kind == TREE_MEMBER && strcmp(e->text, "dtype") == 0)
    return builder_node(b, e->first)->type;
  return graph_find_type(kernel_tree_name(e));
}

/* ---- loops ---------------------------------------------------------------------------------- */

/* "r0" of R0_BLOCK. */
static const char *name_tile(graph_builder *b, const tree_expr *high) {
  static const char block[] = "BLOCK";
  const char *text = high->kind == TREE_NAME ? high->text : "";
  const char *end = strstr(text, block);
  if (!end || end == text) return "tile";
  size_t n = (size_t)(end - text);
  if (text[n - 1] == '_') n--;
  char *name = arena_strndup(b->g->a, text, n);
  for (char *p = name; *p; p++) *p = (char)tolower((unsigned char)*p);
  return name;
}

static graph_value read_arange(graph_builder *b, const tree_expr *call) {
  const tree_expr *low = builder_argument(call, "start", 0),
                  *high = builder_argument(call, "end", 1);
  if (!low || !high) return builder_unknown(b, "tl.arange without two bounds");
  const graph_loop l = {.kind = LOOP_TILE,
                        .name = name_tile(b, high),
                        .low = builder_node(b, low),
                        .high = builder_node(b, high)};
  return builder_value(builder_step(b, builder_add_loop(b, l), GRAPH_I32));
}

/* ---- memory --------------------------------------------------------------------------------- */

static graph_node *read_mask(graph_builder *b, const tree_expr *e) {
  if (!e || (e->kind == TREE_CONSTANT && strcmp(e->text, "None") == 0)) return NULL;
  return builder_node(b, e);
}

typedef struct stripping {
  graph_builder *b;
  int memory; /* that of the parameter, -1 at first */
  int left;   /* nodes that may still be visited: one that is shared is visited once a path */
} stripping;

/* node without its summand that is a parameter; NULL if it has none, or another one. */
static graph_node *strip_param(stripping *s, graph_node *node) {
  graph_builder *b = s->b;
  if (s->left-- <= 0) return NULL;
  if (node->kind == NODE_PARAM && node->type == GRAPH_ANY) {
    bool other = s->memory >= 0 && s->memory != node->index;
    s->memory = node->index;
    return other ? NULL : graph_integer(b->g, 0, GRAPH_I32);
  }
  if (node->op == AG_OP_WHERE) {
    graph_node *args[] = {node->args[0], strip_param(s, node->args[1]),
                          strip_param(s, node->args[2])};
    return args[1] && args[2] ? graph_op(b->g, AG_OP_WHERE, GRAPH_ANY, 3, args, b->line) : NULL;
  }
  if (node->op != AG_OP_ADD && node->op != AG_OP_SUBTRACT) return NULL;
  graph_node *left = strip_param(s, node->args[0]);
  if (left) return graph_binary(b->g, node->op, left, node->args[1], b->line);
  graph_node *right = node->op == AG_OP_ADD ? strip_param(s, node->args[1]) : NULL;
  return right ? graph_binary(b->g, AG_OP_ADD, node->args[0], right, b->line) : NULL;
}

/* A parameter without a type in the signature is a pointer if it is used as one. */
static graph_value find_pointer(graph_builder *b, graph_value v) {
  stripping s = {.b = b, .memory = -1, .left = 10000};
  graph_node *index = v.memory < 0 && v.node && !v.n ? strip_param(&s, v.node) : NULL;
  if (!index) return v;
  b->g->params[s.memory].pointer = true;
  return (graph_value){.node = index, .memory = s.memory};
}

/* Bit i is set if dimension i is in the list boundary_check. */
static unsigned read_checked(const tree_expr *list) {
  unsigned bits = 0;
  if (!list) return 0;
  if (list->kind == TREE_INTEGER && list->value < 8) return 1u << list->value;
  for (const tree_expr *x = list->first; x; x = x->next)
    if (x->kind == TREE_INTEGER && x->value >= 0 && x->value < 8) bits |= 1u << x->value;
  return bits;
}

/* A pointer to a block is its memory with three items for each dimension: place, size and
 * stride. */
static graph_value locate_block(graph_builder *b, graph_value p, unsigned checked) {
  if (!p.n) return p;
  graph_value at = {.node = p.node, .memory = p.memory, .when = p.when};
  for (int i = 0; i < p.n; i++) {
    const graph_value *d = p.items[i].items;
    if (!d) return builder_unknown(b, "a block whose parts are not known");
    graph_node *part = graph_binary(b->g, AG_OP_MULTIPLY, d[0].node, d[2].node, b->line);
    at.node = graph_binary(b->g, AG_OP_ADD, at.node, part, b->line);
    if (!(checked >> i & 1)) continue;
    graph_node *zero = graph_integer(b->g, 0, GRAPH_WEAK);
    at.when =
        graph_and(b->g, at.when, graph_binary(b->g, AG_OP_GREATER_EQUAL, d[0].node, zero, b->line));
    at.when =
        graph_and(b->g, at.when, graph_binary(b->g, AG_OP_LESS, d[0].node, d[1].node, b->line));
  }
  return at;
}

static const tree_expr *item(const tree_expr *list, int i) {
  const tree_expr *x = list ? list->first : NULL;
  while (x && i-- > 0) x = x->next;
  return x;
}

/* The place along a dimension of a block that is as long as `block` says. */
static graph_value add_tile(graph_builder *b, const tree_expr *block) {
  const graph_loop l = {.kind = LOOP_TILE,
                        .name = name_tile(b, block),
                        .low = graph_integer(b->g, 0, GRAPH_I32),
                        .high = builder_node(b, block)};
  return builder_value(builder_step(b, builder_add_loop(b, l), GRAPH_I32));
}

/* A block, or a descriptor, of `offsets` NULL: then a place is that within its blocks. */
static graph_value make_items(graph_builder *b, graph_value p, const tree_expr *const parts[3],
                              const tree_expr *offsets) {
  const tree_expr *shape = parts[0], *strides = parts[1], *block = parts[2];
  while (p.n <= DIMENSIONS_MAX && item(shape, p.n)) p.n++;
  if (p.n > DIMENSIONS_MAX) return builder_unknown(b, "a block of more than 8 dimensions");
  p.items = arena_alloc(b->a, (size_t)p.n * sizeof *p.items + 1);
  for (int i = 0; i < p.n; i++) {
    if (!item(strides, i) || (offsets && !item(offsets, i)) || !item(block, i))
      return builder_unknown(b, "a block whose parts do not agree");
    graph_value tile = add_tile(b, item(block, i)), *d = arena_alloc(b->a, 3 * sizeof *d);
    d[0] = offsets ? builder_binary(b, AG_OP_ADD, builder_expr(b, item(offsets, i)), tile) : tile;
    d[1] = builder_value(builder_node(b, item(shape, i)));
    d[2] = builder_value(builder_node(b, item(strides, i)));
    p.items[i] = (graph_value){.memory = -1, .items = d, .n = 3};
  }
  return p;
}

/* tl.make_block_ptr(base, shape=[...], strides=[...], block_shape=[...], order=, offsets=[...]) */
static graph_value make_block(graph_builder *b, const tree_expr *call) {
  const tree_expr *const parts[] = {builder_argument(call, "shape", 1),
                                    builder_argument(call, "strides", 2),
                                    builder_argument(call, "block_shape", 4)};
  const tree_expr *offsets = builder_argument(call, "offsets", 3);
  const tree_expr *base = builder_argument(call, "base", 0);
  graph_value p = base ? find_pointer(b, builder_expr(b, base))
                       : builder_unknown(b, "a block without memory");
  if (p.memory < 0) return p;
  if (p.n) return builder_unknown(b, "a block of a block");
  return offsets ? make_items(b, p, parts, offsets)
                 : builder_unknown(b, "a block whose parts do not agree");
}

/* tl.advance(block, [by, ...]) */
static graph_value advance_block(graph_builder *b, const tree_expr *call) {
  const tree_expr *base = builder_argument(call, "base", 0);
  const tree_expr *by = builder_argument(call, "offsets", 1);
  graph_value p = base ? builder_expr(b, base) : builder_unknown(b, "tl.advance of nothing");
  if (p.memory >= 0 && !p.n && graph_find_unknown(b->g, p.node)) return p;
  if (p.memory < 0 || !p.n) return builder_unknown(b, "tl.advance of no block");
  graph_value *items = arena_alloc(b->a, (size_t)p.n * sizeof *items);
  for (int i = 0; i < p.n; i++) {
    if (!item(by, i) || !p.items[i].items)
      return builder_unknown(b, "tl.advance of other dimensions than the block has");
    graph_value *d = arena_alloc(b->a, 3 * sizeof *d);
    memcpy(d, p.items[i].items, 3 * sizeof *d);
    d[0] = builder_binary(b, AG_OP_ADD, d[0], builder_expr(b, item(by, i)));
    items[i] = (graph_value){.memory = -1, .items = d, .n = 3};
  }
  p.items = items;
  return p;
}

static graph_value read_pointer(graph_builder *b, const tree_expr *call) {
  const tree_expr *at = builder_argument(call, "pointer", 0);
  graph_value p = at ? find_pointer(b, builder_expr(b, at)) : none;
  if (p.descriptor) return builder_unknown(b, "a descriptor of a tensor");
  unsigned checked = read_checked(builder_argument(call, "boundary_check", -1));
  return p.memory >= 0 && p.n ? locate_block(b, p, checked) : p;
}

static graph_value read_load(graph_builder *b, const tree_expr *call) {
  graph_value from = read_pointer(b, call);
  graph_node *mask = read_mask(b, builder_argument(call, "mask", 1));
  graph_node *other = read_mask(b, builder_argument(call, "other", 2));
  return builder_load(b, from, mask, other);
}

static graph_value read_store(graph_builder *b, const tree_expr *call, enum access_kind kind) {
  const tree_expr *value = builder_argument(call, kind == ACCESS_STORE ? "value" : "val", 1);
  const tree_expr *mask = builder_argument(call, "mask", 2);
  graph_value to = read_pointer(b, call);
  graph_node *x = value ? builder_node(b, value) : graph_unknown(b->g, "no value", b->line);
  builder_store(b, kind, to, x, read_mask(b, mask));
  graph_node *args[] = {x};
  return builder_value(graph_op(b->g, AG_OP_ATOMIC, x->type, 1, args, b->line));
}

/* ---- values --------------------------------------------------------------------------------- */

static graph_value read_full(graph_builder *b, const tree_expr *call, const char *name) {
  bool zeros = strncmp(name, "zeros", 5) == 0, like = strstr(name, "_like") != NULL;
  const tree_expr *type = builder_argument(call, "dtype", zeros ? 1 : 2);
  const tree_expr *value = zeros ? NULL : builder_argument(call, "value", 1);
  graph_type t = read_type(b, type);
  if (like && t == GRAPH_ANY && kernel_tree_argument(call, 0))
    t = builder_node(b, kernel_tree_argument(call, 0))->type;
  graph_node *x = value ? builder_node(b, value) : graph_integer(b->g, 0, GRAPH_WEAK);
  return builder_value(graph_cast(b->g, x, t, b->line));
}

static graph_value read_where(graph_builder *b, const tree_expr *call) {
  const tree_expr *test = builder_argument(call, "condition", 0);
  const tree_expr *yes = builder_argument(call, "x", 1), *no = builder_argument(call, "y", 2);
  if (!test || !yes || !no) return builder_unknown(b, "tl.where without three arguments");
  graph_node *args[] = {builder_node(b, test), builder_node(b, yes), builder_node(b, no)};
  graph_type t = graph_binary(b->g, AG_OP_MAX, args[1], args[2], b->line)->type;
  return builder_value(graph_op(b->g, AG_OP_WHERE, t, 3, args, b->line));
}

/* tl.pointer_type(tl.float64). A pointer to elements of another size is not followed. */
static graph_value cast_pointer(graph_builder *b, graph_value v, const tree_expr *type) {
  bool points = type && type->kind == TREE_CALL &&
                strcmp(kernel_tree_name(type->first), "pointer_type") == 0;
  const tree_expr *of = points ? builder_argument(type, "element_ty", 0) : NULL;
  return builder_cast_pointer(b, v, read_type(b, of));
}

static graph_value read_cast(graph_builder *b, const tree_expr *call, const tree_expr *expr,
                             int place) {
  graph_value v = builder_expr(b, expr);
  const tree_expr *type = builder_argument(call, "dtype", place);
  graph_type t = read_type(b, type);
  if (v.memory >= 0) return cast_pointer(b, v, type);
  if (v.n) return v;
  if (t == GRAPH_ANY) return builder_unknown(b, "a cast to a type that is not known");
  if (t == GRAPH_F8 && !kernel_tree_keyword(call, "bitcast")) { /* there are two such types */
    graph_node *args[] = {builder_to_node(b, v)};
    bool wide = strstr(kernel_tree_name(type), "8e5") != NULL;
    ag_op op = wide ? AG_OP_CAST_FLOAT8E5 : AG_OP_CAST_FLOAT8E4NV;
    return builder_value(graph_op(b->g, op, t, 1, args, b->line));
  }
  if (kernel_tree_keyword(call, "bitcast")) {
    graph_node *args[] = {builder_to_node(b, v)};
    return builder_value(graph_op(b->g, AG_OP_BITCAST, t, 1, args, b->line));
  }
  return builder_value(graph_cast(b->g, builder_to_node(b, v), t, b->line));
}

static graph_value read_assert(graph_builder *b, const tree_expr *call) {
  const tree_expr *test = kernel_tree_argument(call, 0), *text = kernel_tree_argument(call, 1);
  graph_node *mask = read_mask(b, builder_argument(call, "mask", 2));
  graph_node *when = b->when;
  b->when = graph_and(b->g, when, mask);
  if (test) builder_assert(b, builder_node(b, test), text ? text->text : "");
  b->when = when;
  return builder_value(graph_integer(b->g, 0, GRAPH_WEAK));
}

/* tl.max(x, axis) reduces a block; "max" is an operator of two numbers. */
static graph_value read_extreme(graph_builder *b, const tree_expr *call, const char *name) {
  const tree_expr *x = builder_argument(call, "input", 0),
                  *axis = builder_argument(call, "axis", 1);
  graph_node *args[] = {builder_node(b, x), axis ? builder_node(b, axis) : NULL};
  ag_op op = strcmp(name, "max") == 0 ? AG_OP_BLOCK_MAX : AG_OP_BLOCK_MIN;
  return builder_value(graph_op(b->g, op, args[0]->type, axis ? 2 : 1, args, b->line));
}

/* tl.maximum(x, y) of floats ignores a NaN, where triton_helpers.maximum() returns it. */
static graph_value read_greater(graph_builder *b, const tree_expr *x, const tree_expr *y,
                                ag_op op) {
  graph_node *args[] = {builder_node(b, x), builder_node(b, y)};
  graph_node *both = graph_binary(b->g, op, args[0], args[1], b->line);
  if (!ag_graph_type_is_float(both->type)) return builder_value(both);
  op = op == AG_OP_MAX ? AG_OP_FMAX : AG_OP_FMIN;
  return builder_value(graph_op(b->g, op, both->type, 2, args, b->line));
}

static graph_value read_cdiv(graph_builder *b, const tree_expr *x, const tree_expr *y) {
  graph_node *by = builder_node(b, y);
  graph_node *up =
      graph_binary(b->g, AG_OP_SUBTRACT, by, graph_integer(b->g, 1, GRAPH_WEAK), b->line);
  graph_node *sum = graph_binary(b->g, AG_OP_ADD, builder_node(b, x), up, b->line);
  return builder_value(graph_binary(b->g, AG_OP_FLOOR_DIVIDE, sum, by, b->line));
}

static graph_value read_program(graph_builder *b, const tree_expr *call, const char *name) {
  const tree_expr *axis = builder_argument(call, "axis", 0);
  graph_node *args[] = {axis ? builder_node(b, axis) : graph_integer(b->g, 0, GRAPH_WEAK)};
  return builder_value(graph_call(b->g, name, GRAPH_I32, 1, args, b->line));
}

/* ---- descriptors of tensors ----------------------------------------------------------------- */

/* What the kernel makes is its memory with the items of a block, whose places are those within a
 * block. One that the host makes is a parameter: its sizes are not known here. */

/* tl.make_tensor_descriptor(base, shape=[...], strides=[...], block_shape=[...]) */
static graph_value make_descriptor(graph_builder *b, const tree_expr *call) {
  const tree_expr *const parts[] = {builder_argument(call, "shape", 1),
                                    builder_argument(call, "strides", 2),
                                    builder_argument(call, "block_shape", 3)};
  const tree_expr *base = builder_argument(call, "base", 0);
  graph_value p = base ? find_pointer(b, builder_expr(b, base))
                       : builder_unknown(b, "a descriptor without memory");
  if (p.memory < 0 || p.n) return builder_unknown(b, "a descriptor of no pointer");
  p = make_items(b, p, parts, NULL);
  const tree_expr *padding = builder_argument(call, "padding_option", 4);
  const bool zero = !padding || (padding->text && strstr(padding->text, "zero"));
  if (p.n) p.descriptor = zero ? PADS_ZERO : PADS_OTHERWISE;
  return p;
}

/* The elements at `offsets` of a descriptor that the kernel made: those outside of its sizes are
 * not there. */
static graph_value locate_described(graph_builder *b, graph_value p, const tree_expr *offsets) {
  graph_value *items = arena_alloc(b->a, (size_t)p.n * sizeof *items + 1);
  for (int i = 0; i < p.n; i++) {
    if (!item(offsets, i) || !p.items[i].items)
      return builder_unknown(b, "offsets of other dimensions than the descriptor has");
    graph_value *d = arena_alloc(b->a, 3 * sizeof *d);
    memcpy(d, p.items[i].items, 3 * sizeof *d);
    d[0] = builder_binary(b, AG_OP_ADD, builder_expr(b, item(offsets, i)), d[0]);
    items[i] = (graph_value){.memory = -1, .items = d, .n = 3};
  }
  p.items = items;
  p.descriptor = NO_DESCRIPTOR;
  return locate_block(b, p, ~0u);
}

/* One of the host's: loads and stores through it are not followed. */
static graph_value lose_descriptor(graph_builder *b, graph_value v, const tree_expr *call,
                                   const descriptor_call *c) {
  v = find_pointer(b, v);
  for (const tree_expr *x = call->first->next; x; x = x->next) builder_expr(b, x);
  builder_escape(b, v, c->name, "a descriptor of a tensor");
  if (v.memory >= 0) b->g->escapes.at[b->g->escapes.n - 1].reads = !c->stores;
  return builder_unknown(b, "a descriptor of a tensor");
}

static graph_value use_descriptor(graph_builder *b, graph_value v, const tree_expr *call,
                                  const descriptor_call *c) {
  const tree_expr *offsets = c->offsets < 0 ? NULL : builder_argument(call, "offsets", c->offsets);
  const tree_expr *value = c->value < 0 ? NULL : builder_argument(call, "value", c->value);
  const enum descriptor_padding padding = v.descriptor;
  if (!padding || !offsets || (c->stores && !value)) {
    if (padding)
      v = (graph_value){.node = graph_unknown(b->g, "rows by index", b->line), .memory = v.memory};
    return lose_descriptor(b, v, call, c);
  }
  graph_value at = locate_described(b, v, offsets);
  graph_node *zero = graph_integer(b->g, 0, GRAPH_WEAK);
  if (!c->stores) return builder_load(b, at, NULL, padding == PADS_ZERO ? zero : NULL);
  builder_store(b, c->loads ? ACCESS_ATOMIC : ACCESS_STORE, at, builder_node(b, value), NULL);
  return builder_value(zero);
}

/* tl.store_tensor_descriptor(descriptor, offsets, value) and so on; no node for another call. */
static graph_value call_descriptor(graph_builder *b, const tree_expr *call, const char *name) {
  if (descriptor_call_makes(name)) return make_descriptor(b, call);
  const descriptor_call *c = descriptor_call_find(name, false);
  const tree_expr *descriptor = c ? builder_argument(call, "desc", 0) : NULL;
  return descriptor ? use_descriptor(b, builder_expr(b, descriptor), call, c) : none;
}

static graph_value call_memory(graph_builder *b, const tree_expr *call, const char *name) {
  if (strcmp(name, "load") == 0) return read_load(b, call);
  if (strcmp(name, "store") == 0) return read_store(b, call, ACCESS_STORE);
  if (strncmp(name, "atomic_", 7) == 0) return read_store(b, call, ACCESS_ATOMIC);
  if (strcmp(name, "make_block_ptr") == 0) return make_block(b, call);
  if (strcmp(name, "advance") == 0) return advance_block(b, call);
  return call_descriptor(b, call, name);
}

static graph_value call_value(graph_builder *b, const tree_expr *call, const char *name) {
  const tree_expr *x = kernel_tree_argument(call, 0), *y = kernel_tree_argument(call, 1);
  bool fills = strncmp(name, "full", 4) == 0 || strncmp(name, "zeros", 5) == 0;
  if (strcmp(name, "arange") == 0) return read_arange(b, call);
  if (fills) return read_full(b, call, name);
  if (strcmp(name, "where") == 0) return read_where(b, call);
  bool extreme = strcmp(name, "max") == 0 || strcmp(name, "min") == 0;
  const tree_expr *how = builder_argument(call, "propagate_nan", 2);
  bool own = kernel_tree_is_module(call, "tl"),
       whole = !how || strcmp(kernel_tree_name(how), "ALL") != 0;
  if (x && extreme && own && whole) return read_extreme(b, call, name);
  ag_op op = ag_op_find_renamed(true, name);
  bool greater = op == AG_OP_MAX || op == AG_OP_MIN;
  if (x && y && greater && own && whole) return read_greater(b, x, y, op);
  if (strcmp(name, "program_id") == 0 || strcmp(name, "num_programs") == 0)
    return read_program(b, call, name);
  if (strcmp(name, "device_assert") == 0 || strcmp(name, "assume") == 0)
    return read_assert(b, call);
  if (x && strcmp(name, "cast") == 0) return read_cast(b, call, x, 1);
  if (x && y && strcmp(name, "cdiv") == 0) return read_cdiv(b, x, y);
  if (x && op == AG_OP_SAME) return builder_expr(b, x);
  if (x && y && op)
    return builder_value(graph_binary(b->g, op, builder_node(b, x), builder_node(b, y), b->line));
  return none;
}

static bool is_asm(const char *name) { return strncmp(name, "inline_asm", 10) == 0; }

/* Its accesses through a pointer are not visible. */
static graph_value read_asm(graph_builder *b, const tree_expr *call) {
  for (const tree_expr *x = call->first->next; x; x = x->next)
    if (builder_has_pointer(find_pointer(b, builder_expr(b, x))))
      builder_lose(b, "inline assembly");
  return builder_unknown(b, "inline assembly");
}

graph_value builder_call_triton(graph_builder *b, const tree_expr *call) {
  const char *name = kernel_tree_name(call->first);
  if (kernel_tree_is_method(call)) {
    const tree_expr *self = call->first->first;
    if (strcmp(name, "to") == 0) return read_cast(b, call, self, 0);
    const descriptor_call *c = descriptor_call_find(name, true);
    if (c) return use_descriptor(b, builder_expr(b, self), call, c);
    return ag_op_find_renamed(true, name) == AG_OP_SAME ? builder_expr(b, self) : none;
  }
  if (is_asm(name)) return read_asm(b, call);
  graph_value v = call_memory(b, call, name);
  return v.node || v.n ? v : call_value(b, call, name);
}
