/* values.c - see values.h. */
#include "kernel/values.h"

#include <string.h>

/* ---- classes -------------------------------------------------------------------------------- */

kernel_class *kernel_values_class(kernel_reader *r, int v) {
  while (r->of[v].parent != v) v = r->of[v].parent = r->of[r->of[v].parent].parent;
  return &r->of[v];
}

void kernel_values_fail(kernel_reader *r, const char *why) {
  if (!r->why) r->why = why;
}

void kernel_values_set_flag(kernel_reader *r, bool *flag, bool on) {
  if (!on || *flag) return;
  *flag = r->changed = true;
}

static void add_bits(kernel_reader *r, uint64_t *to, uint64_t bits) {
  if (!(bits & ~*to)) return;
  *to |= bits;
  r->changed = true;
}

void kernel_values_join_classes(kernel_reader *r, int v, int w) {
  kernel_class *x = kernel_values_class(r, v), *y = kernel_values_class(r, w);
  if (x == y) return;
  y->parent = (int)(x - r->of);
  x->reaches |= y->reaches;
  x->members |= y->members;
  x->constants |= y->constants;
  x->bad = kernel_bad_join(x->bad, y->bad);
  x->stored_before |= y->stored_before;
  x->pointer |= y->pointer;
  x->loaded |= y->loaded;
  x->vectors |= y->vectors;
  x->stored |= y->stored;
  x->fills |= y->fills;
  r->changed = true;
}

kernel_value kernel_values_join(kernel_value x, kernel_value y) {
  return (kernel_value){x.bits | y.bits, x.constants | y.constants, kernel_bad_join(x.bad, y.bad)};
}

uint64_t kernel_values_pointers(kernel_reader *r) {
  uint64_t bits = 0;
  for (size_t i = 0; i < r->t->nparams; i++)
    if (kernel_values_class(r, (int)i)->pointer) bits |= (uint64_t)1 << i;
  return bits;
}

kernel_value kernel_values_read(kernel_reader *r, int v) {
  const kernel_class *c = kernel_values_class(r, v);
  kernel_bad bad = c->bad;
  if (!c->stored_before) bad = kernel_bad_join(bad, kernel_bad_load(c->members));
  if (r->lambdas) bad.gated |= c->members;
  return (kernel_value){c->reaches | c->members, c->constants, bad};
}

void kernel_values_put(kernel_reader *r, int v, kernel_value x) {
  kernel_class *c = kernel_values_class(r, v);
  add_bits(r, &c->reaches, x.bits | r->control | r->left);
  if ((r->control | r->left) & kernel_values_pointers(r))
    x.bad = kernel_bad_select(x.bad, x.bad, false);
  kernel_bad bad = kernel_bad_join(c->bad, x.bad);
  if (!kernel_bad_is_same(bad, c->bad)) r->changed = true;
  c->bad = bad;
  if (x.constants & ~c->constants) {
    c->constants |= x.constants;
    r->changed = true;
  }
}

/* ---- pointers ------------------------------------------------------------------------------- */

bool kernel_values_is_pointer(kernel_reader *r, tree_expr *e) {
  if (e->is == TREE_UNARY && strcmp(e->text, "&") == 0) return kernel_tree_base(e) >= 0;
  bool form = e->is == TREE_NAME || (e->is == TREE_BINARY && strchr("+-", *e->text)) ||
              (e->is == TREE_CALL && kernel_tree_base(e) >= 0);
  int v = form ? kernel_tree_base(e) : -1;
  return v >= 0 && kernel_values_class(r, v)->pointer;
}

void kernel_values_note_pointer(kernel_reader *r, tree_expr *e) {
  int v = kernel_tree_base(e);
  if (v >= 0) kernel_values_set_flag(r, &kernel_values_class(r, v)->pointer, true);
}

/* The variable that a store or a load goes through; -1 where the reading has failed. */
static int note_access(kernel_reader *r, tree_expr *through, bool store) {
  const char *why = store ? "a store through a pointer that is computed"
                          : "a load through a pointer that is computed";
  int v = kernel_tree_base(through);
  if (v < 0) {
    kernel_values_fail(r, why);
    return -1;
  }
  kernel_class *c = kernel_values_class(r, v);
  kernel_values_set_flag(r, &c->pointer, true);
  kernel_values_set_flag(r, store ? &c->stored : &c->loaded, true);
  if (r->last && r->t->python && !c->members) kernel_values_fail(r, why);
  return v;
}

void kernel_values_store(kernel_reader *r, tree_expr *to, kernel_value x) {
  int v = note_access(r, to, true);
  if (v < 0) return;
  kernel_values_put(r, v, x);
  kernel_values_class(r, v)->stored_before = true;
  r->stores++;
}

void kernel_values_note_place(kernel_reader *r, tree_expr *to, uint64_t bits) {
  int v = kernel_tree_base(to);
  if (!r->last || v < 0) return;
  if (!((bits | r->control | r->left) & kernel_values_pointers(r)))
    kernel_values_class(r, v)->fills = true;
}

void kernel_values_note_load(kernel_reader *r, tree_expr *from) {
  if (note_access(r, from, false) >= 0) r->loads++;
}

void kernel_values_note_vector(kernel_reader *r, tree_expr *from) {
  int v = kernel_tree_base(from);
  if (v >= 0) kernel_values_set_flag(r, &kernel_values_class(r, v)->vectors, true);
}
