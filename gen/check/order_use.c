/* order_use.c - what a launch does to one memory: see order_parts.h. */
#include "check/order_parts.h"
#include "model/op_table.h"
#include <string.h>

static bool is_tensor(const argument *arg) { return arg->kind != AOTIGEN_SCALAR; }

/* True if the launch accesses what it is passed: a custom op, which may even launch nothing, need
 * not. */
static bool is_known(const site *s) {
  return s->form == AOTIGEN_TRITON || s->form == AOTIGEN_EXTERN || s->form == AOTIGEN_COPY ||
         s->form == AOTIGEN_ITEM;
}

/* True for a buffer that takes over the memory of another one for this argument's sake. */
static bool is_taken_over(const model *m, const argument *arg) {
  for (size_t i = 0; i < m->buffers.n; i++)
    if (m->buffers.at[i].reuse && strcmp(m->buffers.at[i].owner, arg->name) == 0) return true;
  return false;
}

/* True for a part of its memory, perhaps: the argument is a view, or its variable is. */
static bool is_view(const model *m, const argument *arg) {
  storage_walk w = storage_walk_from(m->storage, arg->operand ? arg->operand->var : -1);
  bool part = w.var < 0 || arg->kind == AOTIGEN_VIEW || arg->view;
  for (; w.var >= 0; storage_walk_on(&w)) {
    const storage_entry *e = storage_at(m->storage, w.var);
    part = part || m->facts->vars.at[w.var].made == MADE_VIEW || (e->via && !storage_is_same(e));
  }
  return part || w.cut;
}

/* True if each element of the memory is accessed: by a matrix product, and by Inductor's own kernel
 * that computes a new buffer. */
static bool is_whole(const model *m, const site *s, const argument *arg) {
  if (is_view(m, arg)) return false;
  if (op_table_is_product(s->call->callee)) return true;
  return s->form == AOTIGEN_TRITON && !s->by_user && arg->role == AOTIGEN_OUT && arg->text &&
         arg->text->fills && (arg->flags & AOTIGEN_FRESH || is_taken_over(m, arg));
}

memory_use order_read_use(const checker *k, const site *s, int root) {
  memory_use u = {.part = true};
  for (size_t i = 0; i < s->args.n; i++) {
    const argument *arg = &s->args.at[i];
    if (!is_tensor(arg) || arg->root != root) continue;
    bool writes = arg->role != AOTIGEN_IN || arg->flags & AOTIGEN_MAYBE_WRITTEN;
    bool both_sure = arg->role == AOTIGEN_INOUT && s->form == AOTIGEN_TRITON;
    if (!u.arg || (writes && !u.writes)) u.arg = arg;
    u.reads = u.reads || arg->role != AOTIGEN_OUT;
    u.writes = u.writes || writes;
    u.sure_reads = u.sure_reads || (is_known(s) && (arg->role == AOTIGEN_IN || both_sure));
    u.sure_writes = u.sure_writes || (is_known(s) && (arg->role == AOTIGEN_OUT || both_sure));
    u.part = u.part && is_view(k->m, arg);
    u.whole = u.whole || is_whole(k->m, s, arg);
  }
  return u;
}

/* ---- memory that is not known --------------------------------------------------------------- */

/* True if the variable has one tensor all along, or one that came with the call. */
static bool is_one_tensor(checker *k, int root) {
  const fact_var *v = &k->m->facts->vars.at[root];
  const storage_entry *e = storage_at(k->m->storage, root);
  if (v->made == MADE_INPUT || v->made == MADE_WEIGHT) return true;
  return (e->allocated || e->empty) && !sizes_is_assigned(k->sizes, root);
}

static bool find_unknown(checker *k, const site *s) {
  for (size_t i = 0; i < s->args.n; i++) {
    const argument *arg = &s->args.at[i];
    if (!is_tensor(arg) || arg->kind == AOTIGEN_WEIGHT || arg->maker >= 0 ||
        arg->flags & AOTIGEN_LATE)
      continue;
    if (arg->root < 0 || !is_one_tensor(k, arg->root)) return true;
  }
  return false;
}

bool order_has_unknown(checker *k, const site *s) {
  char *known = &k->order->unknown[s - k->m->sites.at];
  if (!*known) *known = find_unknown(k, s) ? 2 : 1;
  return *known == 2;
}
