/* reach.c - see reach.h. Each variable, and each buffer behind a pointer, has the set
 * of parameters that may decide its value. The order of statements does not count: they are walked
 * until no set grows. */
#include "kernel/reach.h"

#include <string.h>

#include "kernel/constants.h"
#include "kernel/values.h"

enum { PASSES_MAX = 24 };

static kernel_value read_value(kernel_reader *r, tree_expr *e);
static void walk_block(kernel_reader *r, const tree_block *b);

/* ---- calls ---------------------------------------------------------------------------------- */

enum { OPERANDS = 3 };

/* All arguments, and each of the first ones that have no keyword. */
static kernel_value read_arguments(kernel_reader *r, tree_expr *call,
                                   kernel_value operands[OPERANDS]) {
  kernel_value x = {0};
  int n = 0;
  for (tree_expr *e = call->first->next; e; e = e->next) {
    kernel_value y = read_value(r, e);
    if (e->is != TREE_KEYWORD && n < OPERANDS) operands[n++] = y;
    x = kernel_values_join(x, y);
  }
  return x;
}

/* Only the elements that `mask`, which may be NULL, selects are loaded or stored. */
static kernel_bad mask_value(kernel_reader *r, kernel_bad bad, tree_expr *mask, uint64_t bits) {
  if (bits & kernel_values_pointers(r)) return kernel_bad_select(bad, bad, false);
  if (mask && !kernel_bad_is_grid(r->t, mask)) bad.gated |= bad.nan | bad.plus | bad.minus;
  return bad;
}

/* An unknown function may write through each pointer that it gets, and may write to what it gets
 * by reference where its result is not used. Only an atomic addition keeps what is there. */
static void assume_written(kernel_reader *r, tree_expr *call, kernel_value x, bool unused) {
  bool adds = strncmp(kernel_tree_name(call->first), "atomic_", 7) == 0;
  for (tree_expr *e = call->first->next; e; e = e->next) {
    tree_expr *arg = e->is == TREE_KEYWORD ? e->first : e;
    int v = kernel_tree_base(arg);
    if (v < 0) continue;
    bool reference = unused && arg->is == TREE_NAME && !r->t->python;
    bool pointer = kernel_values_is_pointer(r, arg) && !r->t->variables.at[v].constant;
    if (pointer || reference)
      kernel_values_store(r, arg, (kernel_value){.bits = x.bits, .bad = x.bad});
    if (pointer && !adds) kernel_values_note_place(r, arg, 0);
    if (kernel_values_is_pointer(r, arg))
      kernel_values_set_flag(r, &kernel_values_class(r, v)->loaded, true);
  }
}

/* What the indices of a pointer expression depend on. The elements behind the pointer are not
 * read. */
static kernel_value read_indices(kernel_reader *r, tree_expr *e) {
  kernel_value x = {0};
  for (; e && (e->is == TREE_BINARY || e->is == TREE_INDEX || e->is == TREE_UNARY); e = e->first)
    for (tree_expr *i = e->first->next; i; i = i->next) x = kernel_values_join(x, read_value(r, i));
  if (e && e->is != TREE_NAME) x = kernel_values_join(x, read_value(r, e));
  x.constants = 0;
  return x;
}

/* tl.store(pointer, value, mask), tl.atomic_add(pointer, value, mask). Every argument is read once:
 * calls may be nested. */
static kernel_value read_triton_store(kernel_reader *r, tree_expr *call) {
  tree_expr *to = kernel_tree_keyword(call, "pointer"), *what = kernel_tree_keyword(call, "value"),
            *first = kernel_tree_argument(call, 0);
  if (!what) what = to ? first : kernel_tree_argument(call, 1);
  if (!to) to = first;
  if (!to || !what) {
    kernel_values_fail(r, "a store without a value");
    return (kernel_value){0};
  }
  kernel_value x = read_value(r, what), place = read_indices(r, to), mask = {0};
  for (tree_expr *e = call->first->next; e; e = e->next) {
    tree_expr *arg = e->is == TREE_KEYWORD ? e->first : e;
    if (arg != to && arg != what) mask = kernel_values_join(mask, read_value(r, arg));
  }
  place.bits |= mask.bits;
  x.bits |= place.bits;
  x.bad = mask_value(r, x.bad, NULL, mask.bits);
  kernel_values_store(r, to, x);
  if (strcmp(kernel_tree_name(call->first), "store") == 0)
    kernel_values_note_place(r, to, place.bits);
  int base = kernel_tree_base(to);
  return base < 0 ? x : kernel_values_join(x, kernel_values_read(r, base));
}

/* tmp0.store(pointer, count); in Python descriptor.store(offsets, value). */
static void read_method_store(kernel_reader *r, tree_expr *call) {
  tree_expr *to = kernel_tree_argument(call, 0);
  if (r->t->python) {
    kernel_value operands[OPERANDS] = {0};
    kernel_values_store(r, call->first->first, read_arguments(r, call, operands));
    kernel_values_note_place(r, call->first->first, 0);
    return;
  }
  kernel_value x = read_value(r, call->first->first);
  if (!to) {
    kernel_values_fail(r, "a store without a pointer");
    return;
  }
  kernel_value place = read_indices(r, to);
  for (tree_expr *e = to->next; e; e = e->next) place = kernel_values_join(place, read_value(r, e));
  x.bits |= place.bits;
  kernel_values_store(r, to, x);
  kernel_values_note_place(r, to, place.bits);
}

static kernel_value read_triton_call(kernel_reader *r, tree_expr *call, kernel_value x) {
  const char *name = kernel_tree_name(call->first);
  tree_expr *from = kernel_tree_argument(call, 0);
  if (!from) from = kernel_tree_keyword(call, "pointer");
  if (strcmp(name, "load") == 0 && from) kernel_values_note_load(r, from);
  if (strncmp(name, "make_", 5) == 0 && kernel_tree_base(call) >= 0)
    kernel_values_note_pointer(r, call);
  if (strstr(name, "inline_asm")) kernel_values_fail(r, "inline assembly");
  return x;
}

/* Is its first argument a condition that only keeps to the tensor's places. */
static bool is_grid_call(const kernel_reader *r, const tree_expr *call) {
  const tree_expr *condition = kernel_tree_argument(call, 0);
  return condition && kernel_bad_is_grid(r->t, condition);
}

/* What the call makes of a NaN or an Inf that it is given. */
static kernel_bad read_bad(kernel_reader *r, tree_expr *call, kernel_value object,
                           kernel_value arguments, const kernel_value operands[OPERANDS]) {
  const char *name = kernel_tree_name(call->first);
  tree_expr *from = kernel_tree_argument(call, 0);
  if (strcmp(name, "blendv") == 0)
    return kernel_bad_select(operands[0].bad, operands[1].bad,
                             !(operands[2].bits & kernel_values_pointers(r)));
  if (strcmp(name, "where") == 0 && is_grid_call(r, call))
    return kernel_bad_join(operands[1].bad, operands[2].bad);
  if (strcmp(name, "where") == 0)
    return kernel_bad_select(operands[1].bad, operands[2].bad,
                             !(operands[0].bits & kernel_values_pointers(r)));
  if (strcmp(name, "load") == 0 && r->t->python) {
    tree_expr *mask = kernel_tree_keyword(call, "mask");
    int v = from ? kernel_tree_base(from) : -1;
    if (!mask) mask = kernel_tree_argument(call, 1);
    kernel_value x = v < 0 ? arguments : kernel_values_read(r, v);
    return mask_value(r, x.bad, mask, mask ? operands[1].bits : 0);
  }
  if (!*name) return arguments.bad; /* decltype(tmp0)(tmp1) */
  bool method = kernel_tree_is_method(call);
  return kernel_bad_call(r->t, call,
                         method ? kernel_values_join(object, arguments).bad : arguments.bad,
                         method ? object.bad : operands[0].bad);
}

static kernel_value read_call(kernel_reader *r, tree_expr *call, bool unused) {
  static const char *const loads[] = {"loadu", "load", "masked_load", "loadu_one_fourth", NULL};
  static const char *const pure[] = {"get", "size", NULL};
  const char *name = kernel_tree_name(call->first);
  bool method = kernel_tree_is_method(call),
       triton = r->t->python && kernel_tree_is_module(call, "tl");
  if (method && strcmp(name, "store") == 0) {
    read_method_store(r, call);
    return (kernel_value){0};
  }
  if (triton && (strcmp(name, "store") == 0 || strncmp(name, "atomic_", 7) == 0))
    return read_triton_store(r, call);
  kernel_value operands[OPERANDS] = {0}, object = read_value(r, call->first),
               arguments = read_arguments(r, call, operands),
               x = kernel_values_join(object, arguments);
  bool called = call->first->is == TREE_LAMBDA || call->first->variable >= 0;
  if (!called) x.bad = read_bad(r, call, object, arguments, operands);
  if (!kernel_constant_is_handed_on(call) && !called)
    x.constants &= kernel_bad_keeps_infinity(name) ? AG_POS_INF | AG_NEG_INF : 0;
  if (strcmp(name, "where") == 0 && is_grid_call(r, call)) x.constants = operands[1].constants;
  x.constants |= kernel_constant_read(name);
  if (triton) return read_triton_call(r, call, x);
  if (kernel_tree_is_one_of(name, loads) && (!r->t->python || method)) {
    tree_expr *from = r->t->python ? call->first->first : kernel_tree_argument(call, 0);
    if (from) kernel_values_note_load(r, from);
    if (from && method && strcmp(name, "loadu") == 0 && !kernel_tree_argument(call, 1))
      kernel_values_note_vector(r, from);
  } else if (!kernel_constant_is_handed_on(call) && !kernel_tree_is_one_of(name, pure)) {
    assume_written(r, call, x, unused);
    if (method && unused && kernel_tree_base(call->first->first) >= 0)
      kernel_values_put(r, kernel_tree_base(call->first->first),
                        (kernel_value){.bits = x.bits, .bad = x.bad});
  }
  return x;
}

/* ---- expressions ---------------------------------------------------------------------------- */

static kernel_value read_lambda(kernel_reader *r, tree_expr *e) {
  kernel_value outer = r->returned;
  uint64_t left = r->left;
  r->returned = (kernel_value){0};
  r->lambdas++;
  walk_block(r, e->body);
  r->lambdas--;
  kernel_value x = r->returned;
  r->returned = outer;
  r->left = left;
  return x;
}

static kernel_value read_name(kernel_reader *r, tree_expr *e) {
  if (e->variable >= 0) return kernel_values_read(r, e->variable);
  return (kernel_value){.constants = kernel_constant_read(e->text)};
}

static kernel_value read_children(kernel_reader *r, tree_expr *e) {
  kernel_value x = {0};
  for (tree_expr *c = e->first; c; c = c->next) x = kernel_values_join(x, read_value(r, c));
  return x;
}

/* Of an operator: all operands, and the first. */
static kernel_value read_operands(kernel_reader *r, tree_expr *e, kernel_value *first) {
  kernel_value x = *first = read_value(r, e->first), y;
  if (e->is == TREE_UNARY) x.bad = kernel_bad_unary(e->text, x.bad);
  for (tree_expr *c = e->first->next; c; c = c->next) {
    y = read_value(r, c);
    kernel_bad bad = kernel_bad_binary(e->text, x.bad, y.bad);
    uint8_t constants = kernel_constant_combine(e->text, x.constants, y.constants);
    x = kernel_values_join(x, y);
    if (e->is == TREE_BINARY) x.constants = constants;
    x.bad = kernel_values_is_pointer(r, e) ? first->bad : bad;
  }
  return x;
}

static kernel_value choose_value(kernel_reader *r, kernel_value condition, kernel_value x,
                                 kernel_value y) {
  bool by_place = !(condition.bits & kernel_values_pointers(r));
  kernel_bad bad = kernel_bad_select(x.bad, y.bad, by_place);
  x = kernel_values_join(x, y);
  x.bits |= condition.bits;
  x.bad = bad;
  return x;
}

static kernel_value read_value(kernel_reader *r, tree_expr *e) {
  kernel_value x = {0}, y;
  switch (e->is) {
    case TREE_INTEGER: return x;
    case TREE_CONSTANT: return (kernel_value){.constants = kernel_constant_read(e->text)};
    case TREE_NAME: return read_name(r, e);
    case TREE_CALL: return read_call(r, e, false);
    case TREE_LAMBDA: return read_lambda(r, e);
    case TREE_INDEX:
      x = read_operands(r, e, &y);
      x.bad = y.bad;
      if (!r->t->python && kernel_tree_base(e) >= 0) kernel_values_note_load(r, e);
      return x;
    case TREE_BINARY: return read_operands(r, e, &y);
    case TREE_UNARY:
      x = read_operands(r, e, &y);
      if (strcmp(e->text, "-") == 0) x.constants = kernel_constant_negate(x.constants);
      if (strcmp(e->text, "++") == 0 || strcmp(e->text, "--") == 0) {
        int v = kernel_tree_base(e);
        if (v >= 0) kernel_values_put(r, v, x);
      }
      return x;
    case TREE_CHOICE:
      y = read_value(r, e->first);
      x = read_value(r, e->first->next);
      return choose_value(r, y, x, read_value(r, e->first->next->next));
    case TREE_KEYWORD:
    case TREE_MEMBER:
    case TREE_LIST: break;
  }
  return read_children(r, e);
}

/* ---- statements ----------------------------------------------------------------------------- */

/* All variables in a pointer's initial value may point to the same memory. */
static void join_names(kernel_reader *r, int v, tree_expr *e) {
  if (e->is == TREE_NAME && e->variable >= 0) kernel_values_join_classes(r, v, e->variable);
  if (e->is == TREE_LAMBDA) kernel_values_fail(r, "a pointer that a lambda gives");
  for (tree_expr *c = e->first; c; c = c->next) join_names(r, v, c);
}

static void assign_name(kernel_reader *r, const tree_statement *s, int v, kernel_value x) {
  if (s->value && s->aliases && r->t->variables.at[v].pointer) join_names(r, v, s->value);
  int base = s->value ? kernel_tree_base(s->value) : -1;
  bool pointer = s->value &&
                 (kernel_values_is_pointer(r, s->value) || kernel_values_class(r, v)->pointer);
  if (!s->aliases && pointer && base >= 0) {
    kernel_values_set_flag(r, &kernel_values_class(r, v)->pointer, true);
    kernel_values_join_classes(r, v, base);
  }
  kernel_values_put(r, v, x);
}

static void assign_value(kernel_reader *r, const tree_statement *s, tree_expr *target,
                         kernel_value x) {
  switch (target->is) {
    case TREE_NAME:
      if (target->variable >= 0)
        assign_name(r, s, target->variable, x);
      else if (strcmp(target->text, "inductor_cpu_integer_div_error_flag") != 0)
        kernel_values_fail(r, "an assignment to an unknown name");
      return;
    case TREE_LIST:
      for (tree_expr *e = target->first; e; e = e->next) assign_value(r, s, e, x);
      return;
    case TREE_INDEX:
    case TREE_UNARY:
    case TREE_MEMBER: {
      bool plain = strcmp(s->op, "=") == 0;
      uint64_t place = read_indices(r, target).bits;
      kernel_values_store(r, target, (kernel_value){x.bits | place, x.constants, x.bad});
      if (plain) kernel_values_note_place(r, target, place);
      return;
    }
    default: kernel_values_fail(r, "an assignment to an expression");
  }
}

/* The body of a condition or a loop that `bits` decide. */
static void walk_controlled(kernel_reader *r, uint64_t bits, const tree_block *b) {
  uint64_t outer = r->control;
  r->control |= bits;
  if (b) walk_block(r, b);
  r->control = outer;
}

static void walk_loop(kernel_reader *r, const tree_statement *s) {
  kernel_value x = s->value ? read_value(r, s->value) : (kernel_value){0};
  if (s->low) x = kernel_values_join(x, read_value(r, s->low));
  if (s->high) x = kernel_values_join(x, read_value(r, s->high));
  if (s->step) x = kernel_values_join(x, read_value(r, s->step));
  if (s->target && s->target->variable >= 0) kernel_values_put(r, s->target->variable, x);
  walk_controlled(r, x.bits, s->body);
}

/* Of what is assigned: none where it is only what an accumulator begins with. */
static uint8_t keep_constants(const kernel_reader *r, const tree_statement *s, kernel_value x) {
  int v = kernel_tree_base(s->target);
  const char op[] = {s->op[0], 0};
  if (strcmp(s->op, "=")) return kernel_constant_combine(op, 0, x.constants);
  return v >= 0 && r->accumulates[v] && !x.bits ? 0 : x.constants;
}

static void walk_statement(kernel_reader *r, const tree_statement *s) {
  kernel_value x = {0};
  switch (s->is) {
    case STATEMENT_EXPR:
      if (s->value->is == TREE_CALL)
        read_call(r, s->value, true);
      else
        read_value(r, s->value);
      return;
    case STATEMENT_ASSIGN:
      if (s->value) x = read_value(r, s->value);
      x.constants = keep_constants(r, s, x);
      x.bad = kernel_bad_assign(s->op, x.bad);
      assign_value(r, s, s->target, x);
      return;
    case STATEMENT_BLOCK: walk_block(r, s->body); return;
    case STATEMENT_FOR:
    case STATEMENT_WHILE: walk_loop(r, s); return;
    case STATEMENT_IF:
      x = read_value(r, s->value);
      walk_controlled(r, x.bits, s->body);
      walk_controlled(r, x.bits, s->otherwise);
      return;
    case STATEMENT_RETURN:
      if (s->value) r->returned = kernel_values_join(r->returned, read_value(r, s->value));
      r->returned.bits |= r->control;
      break;
    case STATEMENT_JUMP: break;
  }
  r->left |= r->control;
}

static void walk_block(kernel_reader *r, const tree_block *b) {
  for (const tree_statement *s = b->first; s; s = s->next) walk_statement(r, s);
}

/* ---- all ------------------------------------------------------------------------------------ */

static void walk_once(kernel_reader *r) {
  r->loads = r->stores = 0;
  for (size_t i = 0; i < r->t->variables.n; i++) r->of[i].stored_before = false;
  walk_block(r, r->t->body);
}

static void walk_kernel(kernel_reader *r) {
  int pass = 0;
  do {
    r->changed = false;
    walk_once(r);
  } while (r->changed && !r->why && ++pass < PASSES_MAX);
  if (r->changed) kernel_values_fail(r, "dependences that do not settle");
  r->last = true;
  walk_once(r);
}

void kernel_reach_read(kernel_facts *f, const kernel_tree *t, arena *a) {
  kernel_reader r = {.t = t};
  r.of = arena_alloc(a, (t->variables.n + 1) * sizeof *r.of);
  r.accumulates = arena_alloc(a, (t->variables.n + 1) * sizeof *r.accumulates);
  kernel_constant_find_accumulators(t, t->body, r.accumulates);
  for (size_t i = 0; i < t->variables.n; i++) {
    const tree_variable *v = &t->variables.at[i];
    r.of[i] = (kernel_class){.parent = (int)i, .pointer = v->pointer};
    if (v->param >= 0) r.of[i].members = (uint64_t)1 << v->param;
  }
  walk_kernel(&r);
  f->why = r.why;
  f->loads = r.loads;
  f->stores = r.stores;
  for (size_t i = 0; i < t->nparams; i++) {
    const kernel_class *c = kernel_values_class(&r, (int)i);
    kernel_param *p = &f->params[i];
    p->loaded = c->loaded;
    p->vectors = c->vectors;
    p->stored = c->stored;
    p->fills = c->fills;
    p->constants = c->stored ? c->constants : 0;
    if (!c->stored) continue;
    uint64_t elements = c->reaches & kernel_values_pointers(&r);
    p->reached_by = c->reaches;
    p->selected_by[0] = elements & ~c->bad.nan;
    p->selected_by[1] = elements & ~c->bad.plus;
    p->selected_by[2] = elements & ~c->bad.minus;
    p->moves = !c->bad.computed;
  }
}
