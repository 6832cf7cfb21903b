/* kernel_reach.c - see kernel_reach.h. Each variable, and each buffer behind a pointer, has the set
 * of parameters that may decide its value. The order of statements does not count: they are walked
 * until no set grows. */
#include "model/kernel_reach.h"

#include <string.h>

#include "model/kernel_bad.h"
#include "model/kernel_constants.h"

enum { PASSES_MAX = 24 };

typedef struct class_of {
  int parent;        /* variables that may point to the same memory are one class */
  uint64_t reaches;  /* the parameters that may decide what it holds */
  uint64_t members;  /* the parameters that are in the class */
  kernel_bad bad;    /* what becomes of a NaN or an Inf of theirs */
  uint8_t constants; /* KERNEL_NAN and so on: it may be one of these */
  bool pointer;
  bool stored_before; /* by a statement that stands before the one that is read */
  bool loaded, stored, fills;
} class_of;

typedef struct reader {
  const kernel_tree *t;
  class_of *of; /* by variable */
  bool changed, last;
  uint64_t control; /* that decide whether a statement is executed */
  uint64_t left;    /* that decide whether the kernel, or a loop, was left before */
  unsigned lambdas; /* how many the statement is in */
  struct value {
    uint64_t bits;
    uint8_t constants;
    kernel_bad bad;
  } returned;
  const char *why;
  unsigned loads, stores;
} reader;

typedef struct value value;

static value read_value(reader *r, const tree_expr *e);
static void walk_block(reader *r, const tree_block *b);

/* ---- classes -------------------------------------------------------------------------------- */

static class_of *find_class(reader *r, int v) {
  while (r->of[v].parent != v) v = r->of[v].parent = r->of[r->of[v].parent].parent;
  return &r->of[v];
}

static void fail_reading(reader *r, const char *why) {
  if (!r->why) r->why = why;
}

static void set_flag(reader *r, bool *flag, bool on) {
  if (!on || *flag) return;
  *flag = r->changed = true;
}

static void add_bits(reader *r, uint64_t *to, uint64_t bits) {
  if (!(bits & ~*to)) return;
  *to |= bits;
  r->changed = true;
}

static void join_classes(reader *r, int v, int w) {
  class_of *x = find_class(r, v), *y = find_class(r, w);
  if (x == y) return;
  y->parent = (int)(x - r->of);
  x->reaches |= y->reaches;
  x->members |= y->members;
  x->constants |= y->constants;
  x->bad = kernel_bad_join(x->bad, y->bad);
  x->stored_before |= y->stored_before;
  x->pointer |= y->pointer;
  x->loaded |= y->loaded;
  x->stored |= y->stored;
  x->fills |= y->fills;
  r->changed = true;
}

static value join_values(value x, value y) {
  return (value){x.bits | y.bits, x.constants | y.constants, kernel_bad_join(x.bad, y.bad)};
}

/* The parameters whose elements are read: the others are numbers. */
static uint64_t find_pointers(reader *r) {
  uint64_t bits = 0;
  for (size_t i = 0; i < r->t->nparams; i++)
    if (find_class(r, (int)i)->pointer) bits |= (uint64_t)1 << i;
  return bits;
}

/* What it held when the kernel began is there for sure only before the kernel stores to it. */
static value read_variable(reader *r, int v) {
  const class_of *c = find_class(r, v);
  kernel_bad bad = c->bad;
  if (!c->stored_before) bad = kernel_bad_join(bad, kernel_bad_load(c->members));
  if (r->lambdas) bad.gated |= c->members;
  return (value){c->reaches | c->members, c->constants, bad};
}

static void put_value(reader *r, int v, value x) {
  class_of *c = find_class(r, v);
  add_bits(r, &c->reaches, x.bits | r->control | r->left);
  if ((r->control | r->left) & find_pointers(r)) x.bad = kernel_bad_select(x.bad, x.bad, false);
  kernel_bad bad = kernel_bad_join(c->bad, x.bad);
  if (!kernel_bad_is_same(bad, c->bad)) r->changed = true;
  c->bad = bad;
  if (x.constants & ~c->constants) {
    c->constants |= x.constants;
    r->changed = true;
  }
}

/* ---- pointers ------------------------------------------------------------------------------- */

/* Is the value of the expression a pointer, as far as its form tells. */
static bool is_pointer(reader *r, const tree_expr *e) {
  if (e->is == TREE_UNARY && strcmp(e->text, "&") == 0) return kernel_tree_base(e) >= 0;
  bool form = e->is == TREE_NAME || (e->is == TREE_BINARY && strchr("+-", *e->text)) ||
              (e->is == TREE_CALL && kernel_tree_base(e) >= 0);
  int v = form ? kernel_tree_base(e) : -1;
  return v >= 0 && find_class(r, v)->pointer;
}

static void note_pointer(reader *r, const tree_expr *e) {
  int v = kernel_tree_base(e);
  if (v >= 0) set_flag(r, &find_class(r, v)->pointer, true);
}

/* The variable that a store or a load goes through; -1 where the reading has failed. */
static int note_access(reader *r, const tree_expr *through, bool store) {
  const char *why = store ? "a store through a pointer that is computed"
                          : "a load through a pointer that is computed";
  int v = kernel_tree_base(through);
  if (v < 0) {
    fail_reading(r, why);
    return -1;
  }
  class_of *c = find_class(r, v);
  set_flag(r, &c->pointer, true);
  set_flag(r, store ? &c->stored : &c->loaded, true);
  if (r->last && r->t->python && !c->members) fail_reading(r, why);
  return v;
}

static void store_value(reader *r, const tree_expr *to, value x) {
  int v = note_access(r, to, true);
  if (v < 0) return;
  put_value(r, v, x);
  find_class(r, v)->stored_before = true;
  r->stores++;
}

/* What is stored at `to`, at places and on conditions that `bits` decide: if none of them is an
 * element, then the loops around the store, or the grid, go over all places. */
static void note_place(reader *r, const tree_expr *to, uint64_t bits) {
  int v = kernel_tree_base(to);
  if (!r->last || v < 0) return;
  if (!((bits | r->control | r->left) & find_pointers(r))) find_class(r, v)->fills = true;
}

static void note_load(reader *r, const tree_expr *from) {
  if (note_access(r, from, false) >= 0) r->loads++;
}

/* ---- calls ---------------------------------------------------------------------------------- */

enum { OPERANDS = 3 };

/* All arguments, and each of the first ones that have no keyword. */
static value read_arguments(reader *r, const tree_expr *call, value operands[OPERANDS]) {
  value x = {0};
  int n = 0;
  for (const tree_expr *e = call->first->next; e; e = e->next) {
    value y = read_value(r, e);
    if (e->is != TREE_KEYWORD && n < OPERANDS) operands[n++] = y;
    x = join_values(x, y);
  }
  return x;
}

/* Only the elements that `mask`, which may be NULL, selects are loaded or stored. */
static kernel_bad mask_value(reader *r, kernel_bad bad, const tree_expr *mask, uint64_t bits) {
  if (bits & find_pointers(r)) return kernel_bad_select(bad, bad, false);
  if (mask && !kernel_bad_is_grid(r->t, mask)) bad.gated |= bad.nan | bad.plus | bad.minus;
  return bad;
}

/* An unknown function may write through each pointer that it gets, and may write to what it gets
 * by reference where its result is not used. Only an atomic addition keeps what is there. */
static void assume_written(reader *r, const tree_expr *call, value x, bool unused) {
  bool adds = strncmp(kernel_tree_name(call->first), "atomic_", 7) == 0;
  for (const tree_expr *e = call->first->next; e; e = e->next) {
    const tree_expr *arg = e->is == TREE_KEYWORD ? e->first : e;
    int v = kernel_tree_base(arg);
    if (v < 0) continue;
    bool reference = unused && arg->is == TREE_NAME && !r->t->python;
    bool pointer = is_pointer(r, arg) && !r->t->variables.at[v].constant;
    if (pointer || reference) store_value(r, arg, (value){.bits = x.bits, .bad = x.bad});
    if (pointer && !adds) note_place(r, arg, 0);
    if (is_pointer(r, arg)) set_flag(r, &find_class(r, v)->loaded, true);
  }
}

/* What the indices of a pointer expression depend on. The elements behind the pointer are not
 * read. */
static value read_indices(reader *r, const tree_expr *e) {
  value x = {0};
  for (; e && (e->is == TREE_BINARY || e->is == TREE_INDEX || e->is == TREE_UNARY); e = e->first)
    for (const tree_expr *i = e->first->next; i; i = i->next) x = join_values(x, read_value(r, i));
  if (e && e->is != TREE_NAME) x = join_values(x, read_value(r, e));
  x.constants = 0;
  return x;
}

/* tl.store(pointer, value, mask), tl.atomic_add(pointer, value, mask). Every argument is read once:
 * calls may be nested. */
static value read_triton_store(reader *r, const tree_expr *call) {
  const tree_expr *to = kernel_tree_keyword(call, "pointer"),
                  *what = kernel_tree_keyword(call, "value"),
                  *first = kernel_tree_argument(call, 0);
  if (!what) what = to ? first : kernel_tree_argument(call, 1);
  if (!to) to = first;
  if (!to || !what) {
    fail_reading(r, "a store without a value");
    return (value){0};
  }
  value x = read_value(r, what), place = read_indices(r, to), mask = {0};
  for (const tree_expr *e = call->first->next; e; e = e->next) {
    const tree_expr *arg = e->is == TREE_KEYWORD ? e->first : e;
    if (arg != to && arg != what) mask = join_values(mask, read_value(r, arg));
  }
  place.bits |= mask.bits;
  x.bits |= place.bits;
  x.bad = mask_value(r, x.bad, NULL, mask.bits);
  store_value(r, to, x);
  if (strcmp(kernel_tree_name(call->first), "store") == 0) note_place(r, to, place.bits);
  int base = kernel_tree_base(to);
  return base < 0 ? x : join_values(x, read_variable(r, base));
}

/* tmp0.store(pointer, count); in Python descriptor.store(offsets, value). */
static void read_method_store(reader *r, const tree_expr *call) {
  const tree_expr *to = kernel_tree_argument(call, 0);
  if (r->t->python) {
    value operands[OPERANDS] = {0};
    store_value(r, call->first->first, read_arguments(r, call, operands));
    note_place(r, call->first->first, 0);
    return;
  }
  value x = read_value(r, call->first->first);
  if (!to) {
    fail_reading(r, "a store without a pointer");
    return;
  }
  value place = read_indices(r, to);
  for (const tree_expr *e = to->next; e; e = e->next) place = join_values(place, read_value(r, e));
  x.bits |= place.bits;
  store_value(r, to, x);
  note_place(r, to, place.bits);
}

static value read_triton_call(reader *r, const tree_expr *call, value x) {
  const char *name = kernel_tree_name(call->first);
  const tree_expr *from = kernel_tree_argument(call, 0);
  if (!from) from = kernel_tree_keyword(call, "pointer");
  if (strcmp(name, "load") == 0 && from) note_load(r, from);
  if (strncmp(name, "make_", 5) == 0 && kernel_tree_base(call) >= 0) note_pointer(r, call);
  if (strstr(name, "inline_asm")) fail_reading(r, "inline assembly");
  return x;
}

/* What the call makes of a NaN or an Inf that it is given. */
static kernel_bad read_bad(reader *r, const tree_expr *call, value object, value arguments,
                           const value operands[OPERANDS]) {
  const char *name = kernel_tree_name(call->first);
  const tree_expr *from = kernel_tree_argument(call, 0);
  if (strcmp(name, "blendv") == 0)
    return kernel_bad_select(operands[0].bad, operands[1].bad,
                             !(operands[2].bits & find_pointers(r)));
  if (strcmp(name, "where") == 0 && from && kernel_bad_is_grid(r->t, from))
    return kernel_bad_join(operands[1].bad, operands[2].bad);
  if (strcmp(name, "where") == 0)
    return kernel_bad_select(operands[1].bad, operands[2].bad,
                             !(operands[0].bits & find_pointers(r)));
  if (strcmp(name, "load") == 0 && r->t->python) {
    const tree_expr *mask = kernel_tree_keyword(call, "mask");
    int v = from ? kernel_tree_base(from) : -1;
    if (!mask) mask = kernel_tree_argument(call, 1);
    value x = v < 0 ? arguments : read_variable(r, v);
    return mask_value(r, x.bad, mask, mask ? operands[1].bits : 0);
  }
  if (!*name) return arguments.bad; /* decltype(tmp0)(tmp1) */
  bool method = kernel_tree_is_method(call);
  return kernel_bad_call(r->t, call, method ? join_values(object, arguments).bad : arguments.bad,
                         method ? object.bad : operands[0].bad);
}

static value read_call(reader *r, const tree_expr *call, bool unused) {
  static const char *const loads[] = {"loadu", "load", "masked_load", "loadu_one_fourth", NULL};
  static const char *const pure[] = {"get", "size", NULL};
  const char *name = kernel_tree_name(call->first);
  bool method = kernel_tree_is_method(call),
       triton = r->t->python && kernel_tree_is_module(call, "tl");
  if (method && strcmp(name, "store") == 0) {
    read_method_store(r, call);
    return (value){0};
  }
  if (triton && (strcmp(name, "store") == 0 || strncmp(name, "atomic_", 7) == 0))
    return read_triton_store(r, call);
  value operands[OPERANDS] = {0}, object = read_value(r, call->first),
        arguments = read_arguments(r, call, operands), x = join_values(object, arguments);
  bool called = call->first->is == TREE_LAMBDA || call->first->variable >= 0;
  if (!called) x.bad = read_bad(r, call, object, arguments, operands);
  if (!kernel_constant_is_handed_on(call) && !called) x.constants = 0;
  x.constants |= kernel_constant_read(name);
  if (triton) return read_triton_call(r, call, x);
  if (kernel_tree_is_one_of(name, loads) && (!r->t->python || method)) {
    const tree_expr *from = r->t->python ? call->first->first : kernel_tree_argument(call, 0);
    if (from) note_load(r, from);
  } else if (!kernel_constant_is_handed_on(call) && !kernel_tree_is_one_of(name, pure)) {
    assume_written(r, call, x, unused);
    if (method && unused && kernel_tree_base(call->first->first) >= 0)
      put_value(r, kernel_tree_base(call->first->first), (value){.bits = x.bits, .bad = x.bad});
  }
  return x;
}

/* ---- expressions ---------------------------------------------------------------------------- */

static value read_lambda(reader *r, const tree_expr *e) {
  value outer = r->returned;
  uint64_t left = r->left;
  r->returned = (value){0};
  r->lambdas++;
  walk_block(r, e->body);
  r->lambdas--;
  value x = r->returned;
  r->returned = outer;
  r->left = left;
  return x;
}

static value read_name(reader *r, const tree_expr *e) {
  if (e->variable >= 0) return read_variable(r, e->variable);
  return (value){.constants = kernel_constant_read(e->text)};
}

static value read_children(reader *r, const tree_expr *e) {
  value x = {0};
  for (const tree_expr *c = e->first; c; c = c->next) x = join_values(x, read_value(r, c));
  return x;
}

/* Of an operator: all operands, and the first. */
static value read_operands(reader *r, const tree_expr *e, value *first) {
  value x = *first = read_value(r, e->first), y;
  if (e->is == TREE_UNARY) x.bad = kernel_bad_unary(e->text, x.bad);
  for (const tree_expr *c = e->first->next; c; c = c->next) {
    y = read_value(r, c);
    kernel_bad bad = kernel_bad_binary(e->text, x.bad, y.bad);
    x = join_values(x, y);
    x.bad = is_pointer(r, e) ? first->bad : bad;
  }
  return x;
}

static value choose_value(reader *r, value condition, value x, value y) {
  bool by_place = !(condition.bits & find_pointers(r));
  kernel_bad bad = kernel_bad_select(x.bad, y.bad, by_place);
  x = join_values(x, y);
  x.bits |= condition.bits;
  x.bad = bad;
  return x;
}

static value read_value(reader *r, const tree_expr *e) {
  value x = {0}, y;
  switch (e->is) {
    case TREE_INTEGER: return x;
    case TREE_CONSTANT: return (value){.constants = kernel_constant_read(e->text)};
    case TREE_NAME: return read_name(r, e);
    case TREE_CALL: return read_call(r, e, false);
    case TREE_LAMBDA: return read_lambda(r, e);
    case TREE_INDEX:
      x = read_operands(r, e, &y);
      x.bad = y.bad;
      if (!r->t->python && kernel_tree_base(e) >= 0) note_load(r, e);
      return x;
    case TREE_BINARY:
      x = read_operands(r, e, &y);
      x.constants = 0;
      return x;
    case TREE_UNARY:
      x = read_operands(r, e, &y);
      if (strcmp(e->text, "-") == 0) x.constants = kernel_constant_negate(x.constants);
      if (strcmp(e->text, "++") == 0 || strcmp(e->text, "--") == 0) {
        int v = kernel_tree_base(e);
        if (v >= 0) put_value(r, v, x);
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
static void join_names(reader *r, int v, const tree_expr *e) {
  if (e->is == TREE_NAME && e->variable >= 0) join_classes(r, v, e->variable);
  if (e->is == TREE_LAMBDA) fail_reading(r, "a pointer that a lambda gives");
  for (const tree_expr *c = e->first; c; c = c->next) join_names(r, v, c);
}

static void assign_name(reader *r, const tree_statement *s, int v, value x) {
  if (s->value && s->aliases && r->t->variables.at[v].pointer) join_names(r, v, s->value);
  int base = s->value ? kernel_tree_base(s->value) : -1;
  bool pointer = s->value && (is_pointer(r, s->value) || find_class(r, v)->pointer);
  if (!s->aliases && pointer && base >= 0) {
    set_flag(r, &find_class(r, v)->pointer, true);
    join_classes(r, v, base);
  }
  put_value(r, v, x);
}

static void assign_value(reader *r, const tree_statement *s, const tree_expr *target, value x) {
  switch (target->is) {
    case TREE_NAME:
      if (target->variable >= 0)
        assign_name(r, s, target->variable, x);
      else if (strcmp(target->text, "inductor_cpu_integer_div_error_flag") != 0)
        fail_reading(r, "an assignment to an unknown name");
      return;
    case TREE_LIST:
      for (const tree_expr *e = target->first; e; e = e->next) assign_value(r, s, e, x);
      return;
    case TREE_INDEX:
    case TREE_UNARY:
    case TREE_MEMBER: {
      bool plain = strcmp(s->op, "=") == 0;
      uint64_t place = read_indices(r, target).bits;
      store_value(r, target, (value){x.bits | place, plain ? x.constants : 0, x.bad});
      if (plain) note_place(r, target, place);
      return;
    }
    default: fail_reading(r, "an assignment to an expression");
  }
}

/* The body of a condition or a loop that `bits` decide. */
static void walk_controlled(reader *r, uint64_t bits, const tree_block *b) {
  uint64_t outer = r->control;
  r->control |= bits;
  if (b) walk_block(r, b);
  r->control = outer;
}

static void walk_loop(reader *r, const tree_statement *s) {
  value x = s->value ? read_value(r, s->value) : (value){0};
  if (s->low) x = join_values(x, read_value(r, s->low));
  if (s->high) x = join_values(x, read_value(r, s->high));
  if (s->step) x = join_values(x, read_value(r, s->step));
  if (s->target && s->target->variable >= 0) put_value(r, s->target->variable, x);
  walk_controlled(r, x.bits, s->body);
}

static void walk_statement(reader *r, const tree_statement *s) {
  value x = {0};
  switch (s->is) {
    case STATEMENT_EXPR:
      if (s->value->is == TREE_CALL)
        read_call(r, s->value, true);
      else
        read_value(r, s->value);
      return;
    case STATEMENT_ASSIGN:
      if (s->value) x = read_value(r, s->value);
      if (strcmp(s->op, "=") != 0) x.constants = 0;
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
      if (s->value) r->returned = join_values(r->returned, read_value(r, s->value));
      r->returned.bits |= r->control;
      break;
    case STATEMENT_JUMP: break;
  }
  r->left |= r->control;
}

static void walk_block(reader *r, const tree_block *b) {
  for (const tree_statement *s = b->first; s; s = s->next) walk_statement(r, s);
}

/* ---- all ------------------------------------------------------------------------------------ */

static void walk_once(reader *r) {
  r->loads = r->stores = 0;
  for (size_t i = 0; i < r->t->variables.n; i++) r->of[i].stored_before = false;
  walk_block(r, r->t->body);
}

static void walk_kernel(reader *r) {
  int pass = 0;
  do {
    r->changed = false;
    walk_once(r);
  } while (r->changed && !r->why && ++pass < PASSES_MAX);
  if (r->changed) fail_reading(r, "dependences that do not settle");
  r->last = true;
  walk_once(r);
}

void kernel_reach_read(kernel_facts *f, const kernel_tree *t, arena *a) {
  reader r = {.t = t};
  r.of = arena_alloc(a, (t->variables.n + 1) * sizeof *r.of);
  for (size_t i = 0; i < t->variables.n; i++) {
    const tree_variable *v = &t->variables.at[i];
    r.of[i] = (class_of){.parent = (int)i, .pointer = v->pointer};
    if (v->param >= 0) r.of[i].members = (uint64_t)1 << v->param;
  }
  walk_kernel(&r);
  f->why = r.why;
  f->loads = r.loads;
  f->stores = r.stores;
  for (size_t i = 0; i < t->nparams; i++) {
    const class_of *c = find_class(&r, (int)i);
    kernel_param *p = &f->params[i];
    p->loaded = c->loaded;
    p->stored = c->stored;
    p->fills = c->fills;
    p->constants = c->stored ? c->constants : 0;
    if (!c->stored) continue;
    uint64_t elements = c->reaches & find_pointers(&r);
    p->reached_by = c->reaches;
    p->selected_by[0] = elements & ~c->bad.nan;
    p->selected_by[1] = elements & ~c->bad.plus;
    p->selected_by[2] = elements & ~c->bad.minus;
    p->moves = !c->bad.computed;
  }
}
