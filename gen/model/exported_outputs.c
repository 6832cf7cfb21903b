/* exported_outputs.c - see exported.h. */
#include "model/custom_ops.h"
#include "model/expected.h"
#include "model/exported.h"
#include <string.h>

/* True if the node calls the operator "lab::rows" or "lab::rows.out". */
static bool is_call_of(const exported_node *node, const char *target) {
  const char *name = strstr(target, "::");
  if (!name) return false;
  name += 2;
  const size_t n = strcspn(name, ".");
  return strlen(node->op) == n && !memcmp(node->op, name, n);
}

/* A size that is a symbol is not checked: the operator's inputs decide it. strides: it is handed
 * over as it is. */
static void expect_dims(expected *e, const exported_tensor *t, bool strides, arena *a) {
  e->ndim = t->ndim;
  e->dims = arena_alloc(a, ((size_t)t->ndim + 1) * sizeof *e->dims);
  for (int i = 0; i < t->ndim; i++) {
    const int64_t size = t->dims[i] < 0 ? AOTIGEN_ANY : t->dims[i];
    const bool fixed = strides && t->strides[i] >= 0;
    e->dims[i] = (aotigen_dim){size, size, fixed ? t->strides[i] : AOTIGEN_ANY, NULL};
  }
}

static void expect_tensor(argument *arg, const exported_tensor *t, bool returned, arena *a) {
  if (!arg->expected) return;
  expected *e = arena_alloc(a, sizeof *e);
  *e = *arg->expected;
  if (!e->dtype) e->dtype = t->dtype;
  if (e->ndim < 0 && t->ndim >= 0) expect_dims(e, t, returned && e->user < 0 && t->strides, a);
  arg->expected = e;
}

static size_t count_made(const model *m, const site *s) {
  size_t n = 0;
  for (size_t i = 0; i < s->args.n; i++) n += expected_is_made(m->storage, s, &s->args.at[i]);
  return n;
}

static bool is_returned(const exported *x, size_t node) {
  for (size_t i = 0; i < x->results.n; i++)
    if (x->results.at[i] == node) return true;
  return false;
}

void exported_outputs_read(const model *m, site *s, const exported *x, size_t node, arena *a) {
  const exported_node *from = &x->nodes.at[node];
  if (s->form != AOTIGEN_PROXY || !(s->flags & AOTIGEN_OF_LIBRARY) || s->skipped || !s->op ||
      s->scope >= 0 || !from->nmade || from->nmade != count_made(m, s) ||
      !is_call_of(from, s->op->target))
    return;
  const bool returned = is_returned(x, node);
  size_t next = from->first_made;
  for (size_t i = 0; i < s->args.n; i++)
    if (expected_is_made(m->storage, s, &s->args.at[i]))
      expect_tensor(&s->args.at[i], &x->made.at[next++], returned, a);
}
