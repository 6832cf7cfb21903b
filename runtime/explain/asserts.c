/* asserts.c - see asserts.h. */
#define _GNU_SOURCE
#include "explain/asserts.h"

#include <ctype.h>
#include <string.h>

#include "explain/argument.h"
#include "explain/refusal.h"
#include "explain/work.h"
#include "shared/glob.h"

enum { TRIED_MOST = 16 };

/* An assert that failed. A load decides `index`; `bound` is the other side. Both are -1 if the
 * condition is not a comparison. */
typedef struct failed_assert {
  const ag_graph_assert *a;
  int32_t beside; /* the sibling of the part of the condition that does not hold, or -1 */
  int32_t index, bound;
  const char *must; /* "be less than" */
} failed_assert;

static const ag_graph_node *node_of(const ag_refusal *f, int32_t node) {
  return &f->x->g.nodes[node];
}

/* ---- the condition -------------------------------------------------------------------------- */

static bool is_conjunction(const ag_graph_node *node) { return node->op == AG_OP_AND; }

/* The side of "a & b" that does not hold. */
static int32_t find_broken(ag_refusal *f, int32_t node) {
  failed_assert *failed = f->data;
  failed->beside = -1;
  const ag_graph_node *x = node_of(f, node);
  ag_number first;
  while (is_conjunction(x) && ag_interpret(f->c.m, x->args[0], &first)) {
    bool second = ag_number_is_true(first);
    node = x->args[second];
    failed->beside = x->args[!second];
    x = node_of(f, node);
  }
  return node;
}

/* What the index must be. turned: the index is the right operand. */
static const char *name_demand(ag_op op, bool turned) {
  switch (op) {
    case AG_OP_LESS: return turned ? "be greater than" : "be less than";
    case AG_OP_LESS_EQUAL: return turned ? "be at least" : "be at most";
    case AG_OP_GREATER: return turned ? "be less than" : "be greater than";
    case AG_OP_GREATER_EQUAL: return turned ? "be at most" : "be at least";
    case AG_OP_EQUAL: return "be";
    case AG_OP_NOT_EQUAL: return "not be";
    default: return NULL;
  }
}

static void read_comparison(ag_refusal *f) {
  failed_assert *failed = f->data;
  const ag_graph_node *x = node_of(f, f->broken);
  failed->index = failed->bound = -1;
  if (!name_demand(x->op, false)) return;
  bool turned = ag_refusal_has_load(f, x->args[1]);
  if (!turned && !ag_refusal_has_load(f, x->args[0])) return;
  failed->must = name_demand(x->op, turned);
  failed->index = x->args[turned ? 1 : 0];
  failed->bound = x->args[turned ? 0 : 1];
}

/* ---- the bound ------------------------------------------------------------------------------ */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Names the input's dimension whose length is the symbol. */
static bool add_symbol(ag_text *t, const aotigen_model *m, const char *scalar) {
  for (uint32_t i = 0; i < m->ninputs; i++) {
    const aotigen_input *in = &m->inputs[i];
    for (int32_t d = 0; d < in->ndim && in->dims; d++) {
      if (!in->dims[d].symbol || !ag_has_name(scalar, in->dims[d].symbol)) continue;
      bool whole = strcmp(in->dims[d].symbol, scalar) == 0;
      ag_text_addf(t, whole ? ", the length of " : ", where %s is the length of ",
                   in->dims[d].symbol);
      ag_text_addf(t, in->python_name ? "%s (%s)" : "%s", in->name, in->python_name);
      ag_text_addf(t, " in dimension %d", d);
      return true;
    }
  }
  return false;
}

/* The kernel's own name for the bound: the last word of the assert's text. */
static void add_own_name(ag_text *t, const ag_refusal *f) {
  failed_assert *failed = f->data;
  const char *text = failed->a->text, *end = text + strlen(text), *begin = end;
  while (begin > text && is_word(begin[-1])) begin--;
  if (begin < end && !isdigit((unsigned char)*begin)) {
    ag_text_add_bytes(t, begin, (size_t)(end - begin));
    ag_text_add(t, " = ");
  }
}

static const ag_graph_node *skip_casts(const ag_refusal *f, int32_t node) {
  const ag_graph_node *x = node_of(f, node);
  while (x->op == AG_OP_CAST) x = node_of(f, x->args[0]);
  return x;
}

/* Describes a bound that the kernel is given: "ks0 = s2 = 7, the length of arg4_1 (args[3]) ..." */
static bool add_given(ag_text *t, const ag_refusal *f, int64_t value) {
  failed_assert *failed = f->data;
  const ag_graph_node *x = skip_casts(f, failed->bound);
  const ag_arg *a = x->kind == NODE_PARAM ? ag_explanation_arg(f->x, x->index) : NULL;
  if (!a) return false;
  ag_refusal_begin_line(t);
  add_own_name(t, f);
  ag_text_addf(t, "%s = %lld", a->param->name, (long long)value);
  add_symbol(t, f->x->r->launch.model, a->param->name);
  ag_text_add(t, value ? "\n" : ": it is empty, no index is valid\n");
  return true;
}

enum { BELOW_MAX = 4096 };

/* True if `wanted` is part of the node's expression. An operand has a lower number than its
 * operator. Visits at most `*left` nodes. */
static bool is_below(const ag_graph *g, int32_t node, int32_t wanted, int depth, int *left) {
  const ag_graph_node *x = &g->nodes[node];
  if (node == wanted) return true;
  if (node < wanted || --*left < 0) return false;
  for (int32_t i = 0; i < x->n && depth < 16; i++)
    if (is_below(g, x->args[i], wanted, depth + 1, left)) return true;
  return false;
}

/* The tensor whose elements the index selects, in the first access behind the assert that uses
 * it. */
static const ag_arg *find_indexed(const ag_refusal *f) {
  failed_assert *failed = f->data;
  for (int32_t i = 0; i < f->x->g.naccesses; i++) {
    const ag_graph_access *a = &f->x->g.accesses[i];
    const ag_arg *arg = ag_refusal_arg(f, a);
    int left = BELOW_MAX;
    if (a->order > failed->a->order && arg && is_below(&f->x->g, a->index, failed->index, 0, &left))
      return arg;
  }
  return NULL;
}

/* "6, the length of arg2_1 (args[1]) in dimension 0". The dimension is omitted if several have that
 * length. */
static void add_indexed(ag_text *t, const ag_arg *a, int64_t bound) {
  int dimension = -1, n = 0;
  for (int i = 0; a->view.state == AG_VIEW_OK && i < a->view.t.ndim; i++) {
    if (a->view.t.sizes[i] != bound) continue;
    dimension = i;
    n++;
  }
  ag_refusal_begin_line(t);
  if (n)
    ag_text_addf(t, "%lld is the length of ", (long long)bound);
  else
    ag_text_add(t, "it is an index of ");
  ag_argument_add_name(t, a->param);
  if (n == 1) ag_text_addf(t, " in dimension %d", dimension);
  ag_text_add(t, ": ");
  ag_view_describe(t, &a->view);
  ag_text_add(t, "\n");
}

/* The bound in the sibling part of the condition, such as the upper bound of an index that is less
 * than 0; -1 if there is none. */
static int32_t find_end(const ag_refusal *f) {
  failed_assert *failed = f->data;
  const ag_graph_node *x = failed->beside >= 0 ? node_of(f, failed->beside) : NULL;
  bool compares = x && name_demand(x->op, false);
  if (!compares || (x->args[0] != failed->index && x->args[1] != failed->index)) return -1;
  return x->args[x->args[0] == failed->index];
}

static void add_bound(ag_text *t, ag_refusal *f) {
  failed_assert *failed = f->data;
  const ag_arg *indexed = failed->index >= 0 ? find_indexed(f) : NULL;
  int64_t value;
  if (failed->bound < 0 || !ag_interpret_whole(f->c.m, failed->bound, &value)) return;
  bool is_low = !value && skip_casts(f, failed->bound)->kind == NODE_INTEGER;
  if (is_low && find_end(f) >= 0 && ag_interpret_whole(f->c.m, find_end(f), &value))
    failed->bound = find_end(f);
  if (!add_given(t, f, value) && indexed) add_indexed(t, indexed, value);
}

/* ---- the report ----------------------------------------------------------------------------- */

/* "arg1_1[1, 2] = 100 makes the index 100, which must be less than 100:" */
static void add_head(ag_text *t, ag_refusal *f) {
  failed_assert *failed = f->data;
  ag_refusal_begin_how(t);
  if (failed->index < 0) {
    ag_text_addf(t, "'%s' is asserted, and does not hold\n", failed->a->text);
    return;
  }
  ag_refusal_has_load(f, failed->index);
  ag_refusal_add_elements(t, f);
  ag_text_add(t, f->nloads > 1 ? " make the index " : " makes the index ");
  ag_refusal_add_value(t, f, failed->index);
  ag_text_addf(t, ", which must %s ", failed->must);
  ag_refusal_add_value(t, f, failed->bound);
  ag_text_add(t, ":\n");
}

static void add_failure(ag_text *t, ag_refusal *f) {
  failed_assert *failed = f->data;
  f->broken = find_broken(f, f->f.holds);
  read_comparison(f);
  add_head(t, f);
  if (failed->index < 0) ag_refusal_has_load(f, f->broken);
  ag_refusal_add_chain(t, f);
  add_bound(t, f);
  ag_refusal_add_writers(t, f);
}

/* Reports an element if it is not known which iteration reads it. */
static void add_element(ag_text *t, ag_refusal *f) {
  failed_assert *failed = f->data;
  const ag_arg *a = ag_refusal_arg(f, &f->x->g.accesses[node_of(f, f->f.load)->index]);
  ag_refusal_begin_how(t);
  ag_text_addf(t, "perhaps of %s", a->param->name);
  ag_tensor_describe_index(t, &a->view.t, f->f.flat);
  ag_text_addf(t, " = %lld", (long long)f->f.value);
  ag_text_addf(t, ", for which '%s' does not hold\n", failed->a->text);
  f->loads[0] = f->f.load;
  f->nloads = 1;
  ag_refusal_add_writers(t, f);
}

/* Explains the assert that failed. If `what` is known, the assert of that text failed; otherwise an
 * assert that holds is skipped. */
static enum ag_searched explain_asserts(ag_text *t, const explanation *answer, const char *what) {
  int tried = 0;
  for (int32_t i = 0; i < answer->g.nasserts && tried < TRIED_MOST; i++) {
    const ag_graph_assert *a = &answer->g.asserts[i];
    if (ag_graph_is_of_division(a) || (what && !ag_has_name(what, a->text))) continue;
    failed_assert failed = {.a = a};
    ag_reason why;
    uint64_t left = AG_WORK_MOST;
    enum ag_searched found =
        ag_refusal_explain(t, answer, a, add_failure, add_element, &failed, &left, &why);
    bool undecided = found == AG_FAILS_NOWHERE && *why.text && what;
    if (undecided) ag_refusal_add_reason(t, &why);
    if (undecided || found != AG_FAILS_NOWHERE) return found;
    tried++;
  }
  return AG_FAILS_NOWHERE;
}

bool ag_assert_explain(ag_text *t, const ag_record *record, uint64_t readable, const char *what) {
  explanation x;
  if (!ag_refusal_begin(&x, record, readable)) return false;
  enum ag_searched found = explain_asserts(t, &x, what);
  ag_explanation_end(&x);
  return found == AG_FAILS;
}
