/* exported_outputs.c - see exported.h. */
#include "model/custom_ops.h"
#include "model/expected.h"
#include "model/exported.h"
#include "model/size_expression.h"
#include <string.h>

/* Inductor pads the operands of these, or adds a dimension: what the call returns is not what the
 * node does. */
static bool may_change_operands(const char *op) {
  static const char *const names[] = {"mm",        "bmm",        "addmm",       "baddbmm", "addbmm",
                                      "addmv",     "mv",         "dot",         "linear",  "matmul",
                                      "_int_mm",   "_scaled_mm", "convolution", "conv1d",  "conv2d",
                                      "conv3d",    NULL};
  return strings_index(names, op) >= 0;
}

/* "rows" of "lab::rows.out", "topk" of "aoti_torch_cpu_topk"; NULL for what is no operator's. */
static const char *find_operator(const site *s) {
  static const char shim[] = "aoti_torch_";
  const char *name = NULL;
  if (s->form == AOTIGEN_PROXY && s->op) {
    name = strstr(s->op->target, "::");
    return name ? name + 2 : NULL;
  }
  if (s->form == AOTIGEN_EXTERN && s->kernel && !strncmp(s->kernel, shim, sizeof shim - 1))
    name = strchr(s->kernel + sizeof shim - 1, '_'); /* behind the device */
  return name ? name + 1 : NULL;
}

static bool is_call_of(const exported_node *node, const site *s) {
  const char *name = find_operator(s);
  if (!name || may_change_operands(node->op)) return false;
  const size_t n = strcspn(name, ".");
  return strlen(node->op) == n && !memcmp(node->op, name, n);
}

/* "#0.0,,#0.0 2 *": the sizes that the inputs of the run decide; NULL where there are none. */
static const char *read_sizes_of(const model *m, const exported_tensor *t, arena *a) {
  const char *all = "";
  bool any = false;
  for (int i = 0; i < t->ndim; i++) {
    const char *text = t->exprs && t->dims[i] < 0 ? t->exprs[i] : NULL;
    const char *code = text ? size_expression_read(text, m->size_symbols, a) : NULL;
    all = arena_printf(a, "%s%s%s", all, i ? "," : "", code ? code : "");
    any = any || code;
  }
  return any ? all : NULL;
}

/* strides: it is handed over as it is. */
static void expect_dims(expected *e, const exported_tensor *t, bool strides, arena *a) {
  e->ndim = t->ndim;
  e->dims = arena_alloc(a, ((size_t)t->ndim + 1) * sizeof *e->dims);
  for (int i = 0; i < t->ndim; i++) {
    const int64_t size = t->dims[i] < 0 ? AOTIGEN_ANY : t->dims[i];
    const bool fixed = strides && t->strides[i] >= 0;
    e->dims[i] = (aotigen_dim){size, size, fixed ? t->strides[i] : AOTIGEN_ANY, NULL};
  }
}

static void expect_tensor(const model *m, argument *arg, const exported_tensor *t, bool returned,
                          arena *a) {
  if (!arg->expected || arg->flags & AOTIGEN_UNASSERTED) return;
  expected *e = arena_alloc(a, sizeof *e);
  *e = *arg->expected;
  if (!e->dtype) e->dtype = t->dtype;
  if (e->ndim < 0 && t->ndim >= 0) {
    expect_dims(e, t, returned && e->user < 0 && t->strides, a);
    e->sizes_of = read_sizes_of(m, t, a);
  }
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
  if (s->skipped || s->scope >= 0 || !from->nmade || from->nmade != count_made(m, s) ||
      !is_call_of(from, s))
    return;
  /* Of an operator of torch, Inductor may ask for another layout. */
  const bool returned = s->flags & AOTIGEN_OF_LIBRARY && is_returned(x, node);
  size_t next = from->first_made;
  for (size_t i = 0; i < s->args.n; i++)
    if (expected_is_made(m->storage, s, &s->args.at[i]))
      expect_tensor(m, &s->args.at[i], &x->made.at[next++], returned, a);
}
