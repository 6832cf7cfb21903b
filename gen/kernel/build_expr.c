/* build_expr.c - the expressions of a kernel that Triton and C++ have in common, as nodes: see
 * builder.h. */
#include "kernel/builder.h"
#include <string.h>

enum { LAMBDAS_DEEP = 20, LAMBDA_CALLS_MAX = 2000, DIMENSION_DEEP = 4 };

/* &p[i] of C++ */
static graph_value read_address(graph_builder *b, const tree_expr *of) {
  graph_value v = builder_expr(b, of->first);
  graph_node *i = of->first->next ? builder_node(b, of->first->next) : NULL;
  if (v.memory >= 0 && i) return builder_add(b, AG_OP_ADD, v, builder_value(i));
  builder_lose(b, "the address of what is not an element of a memory");
  return builder_unknown(b, "the address of what is not an element of a memory");
}

static graph_value read_unary(graph_builder *b, const tree_expr *e) {
  if (strcmp(e->text, "++") == 0 || strcmp(e->text, "--") == 0) {
    const tree_expr *of = e->first;
    builder_lose(b, "a variable that an expression changes");
    graph_value x = builder_unknown(b, "a variable that an expression changes");
    if (of->kind == TREE_NAME && of->variable >= 0) b->vars[of->variable] = x;
    return x;
  }
  if (*e->text == '&' && e->first->kind == TREE_INDEX) return read_address(b, e->first);
  graph_value v = builder_expr(b, e->first);
  if (*e->text == '+') return v;
  if (*e->text == '*' && v.memory >= 0) return builder_load(b, v, NULL, NULL);
  if (*e->text == '&' && v.memory >= 0) return v;
  graph_node *x = builder_to_node(b, v);
  if (strcmp(e->text, "-") == 0 && x->kind == NODE_INTEGER && x->value != INT64_MIN)
    return builder_value(graph_integer(b->g, -x->value, x->type));
  bool not = *e->text == '!' || (*e->text == '~' && x->type == GRAPH_BOOL);
  if (not ) return builder_value(graph_not(b->g, x));
  return builder_value(graph_call(b->g, e->text, x->type, 1, &x, b->line));
}

static const tree_expr *find_throw(const tree_expr *e) {
  if (e->kind == TREE_LIST) e = e->first; /* (throw X, 0) */
  return e && e->kind == TREE_CALL && strcmp(kernel_tree_name(e->first), "throw") == 0 ? e : NULL;
}

/* test ? x : (throw std::runtime_error("..."), 0) */
static graph_value read_check(graph_builder *b, const tree_expr *test, const tree_expr *value,
                              const tree_expr *thrown) {
  const tree_expr *what = kernel_tree_argument(thrown, 0),
                  *text = what && what->kind == TREE_CALL ? kernel_tree_argument(what, 0) : NULL;
  builder_assert(b, builder_node(b, test), text && text->text ? text->text : "");
  return builder_expr(b, value);
}

static graph_value read_choice(graph_builder *b, const tree_expr *e) {
  const tree_expr *thrown = find_throw(e->first->next->next);
  if (thrown) return read_check(b, e->first, e->first->next, thrown);
  graph_node *test = builder_node(b, e->first), *outer = b->when;
  b->when = graph_and(b->g, outer, test);
  graph_node *x = builder_node(b, e->first->next);
  b->when = graph_and(b->g, outer, graph_not(b->g, test));
  graph_node *y = builder_node(b, e->first->next->next);
  b->when = outer;
  graph_node *args[] = {test, x, y};
  return builder_value(graph_op(b->g, AG_OP_WHERE, x->type, 3, args, b->line));
}

/* 1 + the place of the only colon in [:, None]; 0 for another list. */
static int find_dimension(const tree_expr *list) {
  int found = 0, n = 0;
  for (const tree_expr *x = list; x; x = x->next) {
    bool colon = x->kind == TREE_LIST && x->text && strcmp(x->text, ":") == 0 && !x->first;
    n++;
    if (!colon) continue;
    if (found) return 0;
    found = n;
  }
  return n > 1 ? found : 0;
}

/* Notes that the lanes of node lie along the dimension. A reduction has other lanes than its
 * argument. */
static void note_dimension(graph_builder *b, const graph_node *node, int dimension, int depth) {
  if (node->kind == NODE_STEP) {
    const graph_loop *l = &b->g->loops.at[node->index];
    bool joined = l->kind == LOOP_GRID || l->kind == LOOP_BLOCKS;
    graph_loop *tile = &b->g->loops.at[joined ? l->tile : node->index];
    if (tile->kind == LOOP_TILE)
      tile->place = tile->place && tile->place != dimension ? -1 : dimension;
  }
  bool by_element = node->kind == NODE_OP &&
                    (strchr("+-*/%<>=!&|^~", *node->text) || strcmp(node->text, "cast") == 0);
  for (int i = 0; i < node->n && by_element && depth < DIMENSION_DEEP; i++)
    note_dimension(b, node->args[i], dimension, depth + 1);
}

/* `a && b`, `a || b`: b is evaluated unless a decides the result. */
static graph_value read_junction(graph_builder *b, const tree_expr *e) {
  graph_value x = builder_expr(b, e->first);
  graph_node *outer = b->when;
  graph_node *test = builder_to_node(b, x);
  b->when = graph_and(b->g, outer, *e->text == '&' ? test : graph_not(b->g, test));
  graph_value y = builder_expr(b, e->first->next);
  b->when = outer;
  return builder_binary_named(b, e->text, builder_value(test), y);
}

static graph_value read_binary(graph_builder *b, const tree_expr *e) {
  if (strcmp(e->text, "&&") == 0 || strcmp(e->text, "||") == 0) return read_junction(b, e);
  return builder_binary_named(b, e->text, builder_expr(b, e->first),
                              builder_expr(b, e->first->next));
}

/* p[i] of C++; x[:, None] of Triton, which is x. */
static graph_value read_index(graph_builder *b, const tree_expr *e) {
  graph_value v = builder_expr(b, e->first);
  if (b->g->python && v.n && e->first->next && e->first->next->kind == TREE_INTEGER) {
    int64_t i = e->first->next->value;
    return i < v.n ? v.items[i] : builder_unknown(b, "more values than there are");
  }
  int dimension = b->g->python ? find_dimension(e->first->next) : 0;
  if (dimension && v.node) note_dimension(b, v.node, dimension, 0);
  if (b->g->python) return v;
  if (!e->first->next) return builder_unknown(b, "an index that is empty");
  graph_node *i = builder_node(b, e->first->next);
  if (v.memory >= 0)
    return builder_load(b, builder_add(b, AG_OP_ADD, v, builder_value(i)), NULL, NULL);
  graph_node *args[] = {builder_to_node(b, v), i};
  return builder_value(graph_op(b->g, AG_OP_ITEM, args[0]->type, 2, args, b->line));
}

static graph_value read_list(graph_builder *b, const tree_expr *e) {
  graph_value v = {.memory = -1};
  for (const tree_expr *x = e->first; x; x = x->next) v.n++;
  if (!v.n) return builder_unknown(b, "an empty list");
  v.items = arena_alloc(b->a, (size_t)v.n * sizeof *v.items);
  int i = 0;
  for (const tree_expr *x = e->first; x; x = x->next) v.items[i++] = builder_expr(b, x);
  if (!b->g->python && builder_has_pointer(v)) builder_lose(b, "a pointer within an object");
  return v;
}

static graph_value read_constant(graph_builder *b, const tree_expr *e) {
  const char *t = e->text;
  bool number = *t == '.' || (*t >= '0' && *t <= '9');
  bool single = number && t[strlen(t) - 1] == 'f';
  graph_type type = b->g->python ? GRAPH_WEAK_FLOAT : single ? GRAPH_F32 : GRAPH_F64;
  if (number) return builder_value(graph_float(b->g, t, type));
  return builder_value(graph_call(b->g, t, GRAPH_ANY, 0, NULL, 0));
}

static graph_value read_name(graph_builder *b, const tree_expr *e) {
  if (e->variable >= 0) {
    graph_value v = b->vars[e->variable];
    if (v.node || v.n || v.lambda) return v;
    return builder_unknown(b, "a variable without a value");
  }
  bool yes = strcmp(e->text, "True") == 0 || strcmp(e->text, "true") == 0;
  if (yes || strcmp(e->text, "False") == 0 || strcmp(e->text, "false") == 0)
    return builder_value(graph_integer(b->g, yes, GRAPH_BOOL));
  return builder_value(graph_call(b->g, e->text, GRAPH_ANY, 0, NULL, 0));
}

/* The member of an object; a value without a node if the expression is none. */
static graph_value find_member(const graph_builder *b, const tree_expr *e) {
  bool name = e->first->kind == TREE_NAME && e->first->variable >= 0;
  const graph_value *v = name ? &b->vars[e->first->variable] : NULL;
  for (int i = 0; v && v->members && i < v->n; i++)
    if (strcmp(v->members[i], e->text) == 0) return v->items[i];
  const char *type = name ? b->t->variables.at[e->first->variable].type : NULL;
  bool lost = type && strstr(type, "Welford<") && v->node && v->memory < 0; /* it has the reason */
  return lost ? *v : (graph_value){.memory = -1};
}

static graph_value read_member(graph_builder *b, const tree_expr *e) {
  graph_value member = find_member(b, e);
  if (member.node) return member;
  if (!b->g->python && e->first->kind == TREE_NAME && e->first->variable >= 0) {
    graph_node *of = builder_node(b, e->first);
    const char *op = arena_printf(b->g->a, "member:%s", e->text);
    return builder_value(graph_call(b->g, op, GRAPH_ANY, 1, &of, b->line));
  }
  if (strcmp(e->text, "dtype") == 0 || strcmp(e->text, "shape") == 0) {
    graph_node *x = builder_node(b, e->first);
    return builder_value(graph_call(b->g, e->text, x->type, 0, NULL, 0));
  }
  return builder_value(graph_call(b->g, e->text, GRAPH_ANY, 0, NULL, 0));
}

static graph_value read_integer(graph_builder *b, const tree_expr *e) {
  return builder_value(graph_integer(b->g, e->value, b->g->python ? GRAPH_WEAK : GRAPH_I64));
}

static graph_value call_lambda(graph_builder *b, graph_value f) {
  if (++b->calls > LAMBDA_CALLS_MAX) return builder_unknown(b, "too many calls of functions");
  if (++b->depth > LAMBDAS_DEEP) {
    b->depth--;
    return builder_unknown(b, "functions that call each other too deep");
  }
  graph_value outer = b->returned;
  b->returned = (graph_value){.memory = -1};
  graph_node *when = b->when;
  bool partly = b->partly;
  builder_block(b, f.lambda->body);
  b->when = when;
  b->partly = partly;
  graph_value v = b->returned;
  b->returned = outer;
  b->depth--;
  return v.node || v.n ? v : builder_unknown(b, "a function without a value");
}

/* "function:+" of a lambda that returns x + y, "function:maximum" of one that calls it. */
static const char *name_lambda(graph_builder *b, const tree_expr *lambda) {
  const tree_statement *s = lambda->body ? lambda->body->first : NULL;
  const tree_expr *e = s && s->kind == STATEMENT_RETURN && !s->next ? s->value : NULL;
  const char *name = !e                       ? ""
                     : e->kind == TREE_BINARY ? e->text
                     : e->kind == TREE_CALL   ? kernel_tree_name(e->first)
                                              : "";
  return *name ? arena_printf(b->g->a, "function:%s", name) : "function";
}

static graph_value call_any(graph_builder *b, const tree_expr *call, graph_type type) {
  graph_node *args[GRAPH_ARGS_MAX];
  int n = 0;
  if (kernel_tree_is_method(call)) args[n++] = builder_node(b, call->first->first);
  for (const tree_expr *x = call->first->next; x; x = x->next) {
    if (n == GRAPH_ARGS_MAX) return builder_unknown(b, "a function of more than 16 arguments");
    graph_value v = builder_expr(b, x->kind == TREE_KEYWORD ? x->first : x);
    if (v.n == 1 && v.memory < 0) v = v.items[0];
    if (builder_has_pointer(v)) {
      builder_escape(b, v, kernel_tree_name(call->first), "a function that is given a pointer");
      args[n++] = graph_unknown(b->g, "a pointer that is used as a value", b->line);
      continue;
    }
    args[n++] = v.lambda ? graph_call(b->g, name_lambda(b, v.lambda), GRAPH_ANY, 0, NULL, 0)
                         : builder_to_node(b, v);
  }
  if (type == GRAPH_ANY && n) type = args[0]->type;
  const char *name = kernel_tree_name(call->first);
  if (!*name) return builder_unknown(b, "a call that Inductor does not write");
  return builder_value(graph_call(b->g, name, type, n, args, b->line));
}

static graph_value read_call(graph_builder *b, const tree_expr *e) {
  if (e->first->kind == TREE_NAME && e->first->variable >= 0) {
    graph_value f = b->vars[e->first->variable];
    if (f.lambda) return call_lambda(b, f);
  }
  if (e->first->kind == TREE_LAMBDA) {
    graph_value f = {.memory = -1, .lambda = e->first};
    return call_lambda(b, f);
  }
  graph_value v = b->g->python ? builder_call_triton(b, e) : builder_call_cpp(b, e);
  return v.node || v.n ? v : call_any(b, e, GRAPH_ANY);
}

graph_value builder_expr(graph_builder *b, const tree_expr *e) {
  if (!e) return builder_unknown(b, "an expression that is empty"); /* v[] */
  switch (e->kind) {
    case TREE_INTEGER: return read_integer(b, e);
    case TREE_CONSTANT: return read_constant(b, e);
    case TREE_NAME: return read_name(b, e);
    case TREE_CALL: return read_call(b, e);
    case TREE_KEYWORD: return builder_expr(b, e->first);
    case TREE_INDEX: return read_index(b, e);
    case TREE_MEMBER: return read_member(b, e);
    case TREE_UNARY: return read_unary(b, e);
    case TREE_BINARY: return read_binary(b, e);
    case TREE_CHOICE: return read_choice(b, e);
    case TREE_LIST: return read_list(b, e);
    case TREE_LAMBDA: return (graph_value){.memory = -1, .lambda = e};
  }
  return builder_unknown(b, "an expression that Inductor does not write");
}
