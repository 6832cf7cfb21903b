/* graph_build.c - a kernel's statements, read in order, as a graph: see graph.h. */
#include "kernel/builder.h"
#include <stdlib.h>
#include <string.h>

/* ---- assignments ---------------------------------------------------------------------------- */

static graph_value item_of(graph_builder *b, graph_value v, int i) {
  if (v.n) return i < v.n ? v.items[i] : builder_unknown(b, "more values than there are");
  if (v.memory >= 0 || !v.node) return builder_unknown(b, "a part of a pointer");
  graph_node *args[] = {v.node, graph_integer(b->g, i, GRAPH_WEAK)};
  return builder_value(graph_op(b->g, AG_OP_ITEM, v.node->type, 2, args, b->line));
}

/* A value that is computed or loaded keeps the name of its first variable. */
static void name_node(graph_value v, const char *name) {
  bool computed = v.node && v.memory < 0 && (v.node->kind == NODE_OP || v.node->kind == NODE_LOAD);
  if (computed && !v.node->name) v.node->name = name;
}

static void assign(graph_builder *b, const tree_expr *target, graph_value v) {
  if (target->kind == TREE_NAME && target->variable >= 0) {
    b->vars[target->variable] = v;
    name_node(v, builder_name(b, target->variable));
  } else if (target->kind == TREE_LIST) {
    int i = 0;
    for (const tree_expr *x = target->first; x; x = x->next) assign(b, x, item_of(b, v, i++));
  } else if (target->kind == TREE_INDEX || (target->kind == TREE_UNARY && *target->text == '*')) {
    graph_value to = builder_expr(b, target->first);
    if (target->kind == TREE_INDEX)
      to = builder_binary(b, AG_OP_ADD, to, builder_value(builder_node(b, target->first->next)));
    builder_store(b, ACCESS_STORE, to, builder_to_node(b, v), NULL);
  } else if (target->kind != TREE_NAME) {
    builder_lose(b, "an assignment that Inductor does not write");
  } else if (strcmp(target->text, "inductor_cpu_integer_div_error_flag") != 0) {
    builder_lose(b, "an assignment to an unknown name");
  }
}

static graph_value add_array(graph_builder *b, int variable, graph_node *elements,
                             graph_type type) {
  int memory = builder_add_memory(b, builder_name(b, variable), elements, type);
  return (graph_value){.node = graph_integer(b->g, 0, GRAPH_I64), .memory = memory};
}

/* float tmp[16 * 16]; std::array<float, 16> tmp; at::vec::Vectorized<float> tmp0; */
static graph_value declare(graph_builder *b, const tree_statement *s) {
  static const char array[] = "std::array<";
  const tree_variable *v = &b->t->variables.at[s->target->variable];
  const char *of = v->type ? strstr(v->type, array) : NULL, *comma = of ? strchr(of, ',') : NULL;
  if (comma) {
    const char *element = of + sizeof array - 1;
    long long n = strtoll(comma + 1, NULL, 10);
    graph_type type = graph_read_type(element, (size_t)(comma - element));
    return add_array(b, s->target->variable, n > 0 ? graph_integer(b->g, n, GRAPH_I64) : NULL,
                     type);
  }
  if (!s->aliases) return (graph_value){.memory = -1};
  const char *type = v->type ? v->type : "";
  return add_array(b, s->target->variable, s->low ? builder_node(b, s->low) : NULL,
                   graph_read_type(type, strlen(type)));
}

static bool ends_with(const char *s, const char *end) {
  size_t n = strlen(s), m = strlen(end);
  return n >= m && strcmp(s + n - m, end) == 0;
}

static bool mentions_name(const tree_expr *e, const char *end) {
  if ((e->kind == TREE_NAME || e->kind == TREE_MEMBER) && ends_with(e->text, end)) return true;
  for (const tree_expr *c = e->first; c; c = c->next)
    if (mentions_name(c, end)) return true;
  return false;
}

/* The value of the last variable of that name; NULL if there is none, or no value. */
static graph_node *find_variable(const graph_builder *b, const char *name, size_t n) {
  for (size_t i = b->t->variables.n; i-- > 0;) {
    const char *text = b->t->variables.at[i].name;
    if (*text == *name && strncmp(text, name, n) == 0 && strcmp(text + n, "numel") == 0)
      return b->vars[i].memory < 0 ? b->vars[i].node : NULL;
  }
  return NULL;
}

/* xindex = xoffset + tl.arange(0, XBLOCK): takes each value below xnumel. */
static void note_iteration(graph_builder *b, const tree_statement *s) {
  static const char index[] = "index";
  const tree_expr *to = s->target;
  if (!b->g->python || b->t->by_hand || to->kind != TREE_NAME || to->variable < 0 ||
      !ends_with(to->text, index) || !strchr("xyzr", *to->text) ||
      !(mentions_name(s->value, "arange") || mentions_name(s->value, "offset")))
    return;
  graph_node *of = b->vars[to->variable].node;
  graph_node *end = find_variable(b, to->text, strlen(to->text) - strlen(index));
  if (!of) return;
  *arena_push(b->g->a, &b->g->iterations) =
      (graph_iteration){.of = of, .end = end, .loop = b->loop, .order = b->order};
  of->iteration = b->g->iterations.n;
}

static void read_assignment(graph_builder *b, const tree_statement *s) {
  if (s->declares && !s->value) {
    b->vars[s->target->variable] = declare(b, s);
    return;
  }
  bool declares = s->declares && s->target->kind == TREE_NAME && s->target->variable >= 0;
  graph_value v =
      builder_begin_sum(b, declares ? b->t->variables.at[s->target->variable].type : NULL);
  if (!v.node) v = builder_expr(b, s->value);
  if (strcmp(s->op, "=") != 0) {
    char op[4] = {0};
    memcpy(op, s->op, strlen(s->op) - 1);
    v = builder_binary_named(b, op, builder_expr(b, s->target), v);
    b->updates = true;
  }
  assign(b, s->target, v);
  b->updates = false;
  note_iteration(b, s);
}

/* ---- branches and loops --------------------------------------------------------------------- */

static bool is_same(graph_value x, graph_value y) {
  return x.node == y.node && x.memory == y.memory && x.when == y.when && x.items == y.items &&
         x.lambda == y.lambda;
}

static bool is_assigned(graph_value v) { return v.node || v.n || v.lambda; }

/* Makes several values, or a pointer to a block, unknown from here on. Of a pointer the memory
 * stays known. */
static graph_value lose_items(graph_builder *b, graph_value v, const char *block,
                              const char *values) {
  graph_value lost = builder_unknown(b, v.memory >= 0 ? block : values);
  lost.memory = v.memory;
  return lost;
}

static graph_value choose(graph_builder *b, graph_node *test, graph_value x, graph_value y) {
  if (is_same(x, y)) return x;
  if (!is_assigned(x) || !is_assigned(y)) return is_assigned(x) ? x : y; /* local to a branch */
  if (x.memory != y.memory || x.lambda || y.lambda)
    return builder_unknown(b, "a pointer that a branch chooses");
  if (x.members && x.members == y.members) { /* two objects of one kind */
    graph_value *items = arena_alloc(b->a, (size_t)x.n * sizeof *items);
    for (int i = 0; i < x.n; i++) items[i] = choose(b, test, x.items[i], y.items[i]);
    x.items = items;
    return x;
  }
  if (x.n || y.n)
    return lose_items(b, x, "a pointer to a block that a branch chooses",
                      "several values that a branch chooses");
  graph_node *args[] = {test, x.node, y.node};
  graph_value v = builder_value(graph_op(b->g, AG_OP_WHERE, x.node->type, 3, args, b->line));
  v.node->joins = true;
  v.memory = x.memory;
  return v;
}

/* True if the statements surely leave the function or the loop. */
static bool leaves(const tree_block *block) {
  for (const tree_statement *s = block ? block->first : NULL; s; s = s->next)
    if (s->kind == STATEMENT_RETURN || s->kind == STATEMENT_JUMP) return true;
  return false;
}

/* The variables that the branches assign, with their values. */
typedef struct branch_values {
  graph_builder *b;
  struct {
    struct branch_value {
      int variable;
      graph_value before, then;
    } * at;
    size_t n, cap;
  } list;
  arena *a;
} branch_values;

static void note_assigned(void *data, int variable) {
  branch_values *v = data;
  if (v->b->noted[variable]) return;
  v->b->noted[variable] = true;
  *arena_push(v->a, &v->list) =
      (struct branch_value){.variable = variable, .before = v->b->vars[variable]};
}

/* Swaps the values of the variables: `then` gets the current ones, and the variables those from
 * before the branch. */
static void swap_branch(branch_values *values) {
  for (size_t i = 0; i < values->list.n; i++)
    values->list.at[i].then = values->b->vars[values->list.at[i].variable];
  for (size_t i = values->list.n; i-- > 0;)
    values->b->vars[values->list.at[i].variable] = values->list.at[i].before;
}

static void join_branches(branch_values *values, graph_node *test, bool first, bool second) {
  graph_value *vars = values->b->vars;
  for (size_t i = 0; i < values->list.n; i++) {
    struct branch_value *x = &values->list.at[i];
    if (first) continue;
    vars[x->variable] = second ? x->then : choose(values->b, test, x->then, vars[x->variable]);
  }
}

static void read_branches(graph_builder *b, const tree_statement *s, branch_values *values) {
  graph_node *test = builder_node(b, s->value), *outer = b->when;
  graph_node *yes = graph_and(b->g, outer, test),
             *no = graph_and(b->g, outer, graph_not(b->g, test));
  bool first = leaves(s->body), second = leaves(s->otherwise);
  b->when = yes;
  graph_value before = b->returned;
  if (s->body) builder_block(b, s->body);
  swap_branch(values);
  graph_value then = b->returned;
  b->returned = before;
  b->when = no;
  if (s->otherwise) builder_block(b, s->otherwise);
  join_branches(values, test, first, second);
  b->returned = choose(b, test, then, b->returned);
  b->when = first && !second ? no : second && !first ? yes : outer;
  b->partly = b->partly || (first && second);
}

static void read_if(graph_builder *b, const tree_statement *s) {
  branch_values v = {.b = b, .a = arena_new()};
  kernel_tree_each_assigned(s->body, note_assigned, &v);
  kernel_tree_each_assigned(s->otherwise, note_assigned, &v);
  for (size_t i = 0; i < v.list.n; i++) b->noted[v.list.at[i].variable] = false;
  read_branches(b, s, &v);
  arena_free(v.a);
}

static void lose_changed(void *data, int variable) {
  graph_builder *b = data;
  graph_value *v = &b->vars[variable];
  if (v->n && !v->members)
    *v = lose_items(b, *v, "a pointer to a block that a loop changes",
                    "several values that a loop changes");
}

typedef struct carrying {
  graph_builder *b;
  int loop;
  size_t first;
} carrying;

/* Makes the variable of that name one that the loop carries. */
static void carry_value(carrying *c, graph_value *value, int variable, int part, const char *name) {
  graph_builder *b = c->b;
  bool known = value->node->kind == NODE_CARRIED && (size_t)value->node->index >= c->first;
  if (known) return;
  *arena_push(b->g->a, &b->g->carried) = (graph_carried){
      .name = name, .variable = variable, .part = part, .loop = c->loop, .first = value->node};
  value->node = graph_leaf(b->g, NODE_CARRIED, (int)b->g->carried.n - 1, value->node->type);
}

/* Copies an object that another variable may hold too: that one's members must not change. */
static void copy_items(graph_builder *b, graph_value *value) {
  graph_value *items = arena_alloc(b->a, (size_t)value->n * sizeof *items);
  memcpy(items, value->items, (size_t)value->n * sizeof *items);
  value->items = items;
}

static void carry_members(carrying *c, graph_value *value, int variable, const char *name) {
  copy_items(c->b, value);
  for (int i = 0; i < value->n; i++)
    carry_value(c, &value->items[i], variable, i,
                arena_printf(c->b->g->a, "%s.%s", name, value->members[i]));
}

static void carry_variable(void *data, int variable) {
  carrying *c = data;
  graph_value *v = &c->b->vars[variable];
  const char *name = builder_name(c->b, variable);
  if (v->members)
    carry_members(c, v, variable, name);
  else if (v->n)
    lose_changed(c->b, variable);
  else if (v->node && !v->lambda)
    carry_value(c, v, variable, -1, name);
}

/* The variable, or the member of one, that the loop began with. */
static graph_value *find_carried(graph_builder *b, const graph_carried *c) {
  graph_value *v = &b->vars[c->variable];
  bool object = v->members != NULL;
  if (object != (c->part >= 0) || (object && c->part >= v->n))
    *v = builder_unknown(b, "an object that a loop changes");
  if (!v->members) return v;
  if (c->part == 0) copy_items(b, v);
  return &v->items[c->part];
}

/* Sets the values of the loop's variables behind the loop. */
static void end_carried(graph_builder *b, size_t first, size_t last) {
  for (size_t k = first; k < last; k++) {
    graph_carried *c = &b->g->carried.at[k];
    graph_value *v = find_carried(b, c);
    if (!v->node) continue;
    c->next = v->node;
    v->node = graph_leaf(b->g, NODE_AFTER, (int)k, v->node->type);
  }
}

static void read_loop_body(graph_builder *b, const tree_statement *s, int loop) {
  carrying c = {.b = b, .loop = loop, .first = b->g->carried.n};
  graph_node *when = b->when;
  bool partly = b->partly;
  int outer = b->loop;
  bool jumps = kernel_tree_each_assigned(s->body, carry_variable, &c);
  size_t last = b->g->carried.n;
  b->loop = loop;
  b->partly = partly || jumps;
  if (s->body) builder_block(b, s->body);
  b->loop = outer;
  b->when = when;
  b->partly = partly;
  end_carried(b, c.first, last);
  kernel_tree_each_assigned(s->body, lose_changed, b);
}

typedef struct outer_assigned {
  const graph_builder *b;
  bool any;
} outer_assigned;

static void note_outer(void *data, int variable) {
  outer_assigned *o = data;
  const graph_value *v = &o->b->vars[variable];
  o->any = o->any || (is_assigned(*v) && v->memory < 0);
}

/* for (long x2_inner = 0; x2_inner < 16; x2_inner++) in the loop of x2: true if it goes over the
 * lanes of that loop's vectors, one after the other, and carries nothing from one to the next. */
static bool goes_over_lanes(graph_builder *b, const tree_statement *s, const graph_loop *l) {
  static const char inner[] = "_inner";
  const char *name = l->name, *of = b->loop >= 0 ? b->g->loops.at[b->loop].name : NULL;
  bool unit = l->low && l->low->kind == NODE_INTEGER && l->low->value == 0 && l->step &&
              l->step->kind == NODE_INTEGER && l->step->value == 1;
  if (b->g->python || !unit || !of) return false;
  size_t n = strlen(of);
  if (strncmp(name, of, n) != 0 || strcmp(name + n, inner) != 0) return false;
  outer_assigned o = {.b = b};
  b->vars[s->target->variable] = (graph_value){.memory = -1};
  return !kernel_tree_each_assigned(s->body, note_outer, &o) && !o.any;
}

static void read_lanes(graph_builder *b, const tree_statement *s, const graph_loop *l) {
  graph_node *lane = builder_lane(b), *outer = b->when;
  b->vars[s->target->variable] = builder_value(lane);
  b->when = graph_and(b->g, outer, graph_binary(b->g, AG_OP_LESS, lane, l->high, b->line));
  if (s->body) builder_block(b, s->body);
  b->when = outer;
}

static void read_for(graph_builder *b, const tree_statement *s) {
  graph_loop l = {
      .kind = LOOP_FOR, .name = arena_strdup(b->g->a, s->target->text), .parallel = s->parallel};
  if (s->low) {
    l.low = builder_node(b, s->low);
    l.high = builder_node(b, s->high);
    l.step = s->step ? builder_node(b, s->step) : graph_integer(b->g, 1, l.low->type);
  }
  if (l.step && l.step->kind == NODE_INTEGER && l.step->value < 1) /* it counts down */
    l.low = l.high = l.step = NULL;
  if (goes_over_lanes(b, s, &l)) {
    read_lanes(b, s, &l);
    return;
  }
  int loop = builder_add_loop(b, l);
  graph_type type = b->g->python ? GRAPH_I32 : GRAPH_I64;
  graph_node *step = l.low ? builder_step(b, loop, type)
                           : graph_unknown(b->g, "a loop that Inductor does not write", b->line);
  b->vars[s->target->variable] = builder_value(step);
  read_loop_body(b, s, loop);
}

/* The number of iterations is not known. */
static void read_while(graph_builder *b, const tree_statement *s) {
  int loop = builder_add_loop(b, (graph_loop){.kind = LOOP_FOR, .name = "while"});
  bool partly = b->partly;
  b->partly = true;
  read_loop_body(b, s, loop);
  b->partly = partly;
}

static void read_expression(graph_builder *b, const tree_expr *e) {
  bool counts = e->kind == TREE_UNARY && (strcmp(e->text, "++") == 0 || strcmp(e->text, "--") == 0);
  if (!counts) {
    builder_expr(b, e);
    return;
  }
  graph_value one = builder_value(graph_integer(b->g, 1, GRAPH_I64));
  assign(b, e->first,
         builder_binary(b, *e->text == '+' ? AG_OP_ADD : AG_OP_SUBTRACT, builder_expr(b, e->first),
                        one));
}

static void read_statement(graph_builder *b, const tree_statement *s) {
  if (s->line) b->line = s->line;
  switch (s->kind) {
    case STATEMENT_EXPR: read_expression(b, s->value); break;
    case STATEMENT_ASSIGN: read_assignment(b, s); break;
    case STATEMENT_BLOCK: builder_block(b, s->body); break;
    case STATEMENT_FOR: read_for(b, s); break;
    case STATEMENT_IF: read_if(b, s); break;
    case STATEMENT_WHILE: read_while(b, s); break;
    case STATEMENT_RETURN:
      if (s->value) b->returned = builder_expr(b, s->value);
      break;
    case STATEMENT_JUMP: break;
  }
}

void builder_block(graph_builder *b, const tree_block *block) {
  for (const tree_statement *s = block->first; s; s = s->next) {
    if (b->g->nodes.n > GRAPH_NODES_MAX) {
      b->g->why = "more than a million expressions";
      return;
    }
    read_statement(b, s);
  }
}

/* ---- the kernel ----------------------------------------------------------------------------- */

static void declare_param(graph_builder *b, size_t i, const char *type) {
  struct graph_param *p = &b->g->params[i];
  const tree_variable *v = &b->t->variables.at[i];
  *p = (struct graph_param){.name = builder_name(b, (int)i),
                            .pointer = v->pointer,
                            .constant = v->constant,
                            .type = GRAPH_ANY};
  if (type) p->pointer = strchr(type, '*') != NULL;
  if (type && strcmp(type, "constexpr") == 0)
    p->type = GRAPH_WEAK;
  else if (type || v->type)
    p->type = graph_read_type(type ? type : v->type, strlen(type ? type : v->type));
  builder_add_memory(b, p->name, NULL, p->type);
  b->g->memories.at[i].param = (int)i;
  if (p->pointer)
    b->vars[i] = (graph_value){.node = graph_integer(b->g, 0, b->g->python ? GRAPH_I32 : GRAPH_I64),
                               .memory = (int)i};
  else
    b->vars[i] = builder_value(graph_leaf(b->g, NODE_PARAM, (int)i, p->type));
}

void graph_build(graph *g, const kernel_tree *t, const char *name, graph_signature *signature,
                 void *data, arena *a) {
  *g = (graph){.name = name,
               .why = t->why,
               .python = t->python,
               .by_hand = t->by_hand,
               .by_user = t->by_user,
               .nparams = t->nparams,
               .a = a};
  if (t->why) return;
  graph_builder b = {.g = g, .t = t, .loop = -1, .a = arena_new()};
  g->params = arena_alloc(a, (t->nparams + 1) * sizeof *g->params);
  b.vars = arena_alloc(b.a, (t->variables.n + 1) * sizeof *b.vars);
  b.noted = arena_alloc(b.a, t->variables.n + 1);
  b.names = arena_alloc(b.a, (t->variables.n + 1) * sizeof *b.names);
  for (size_t i = 0; i < t->variables.n; i++) b.vars[i].memory = -1;
  for (size_t i = 0; i < t->nparams; i++)
    declare_param(&b, i, signature ? signature(data, t->variables.at[i].name) : NULL);
  builder_block(&b, t->body);
  graph_read_asserts(g);
  if (g->depth > GRAPH_DEPTH_MAX) g->why = "an expression that is too deep";
  arena_free(b.a);
}
