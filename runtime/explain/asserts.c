/* asserts.c - see asserts.h. A division is the assert that its divisor is not 0. */
#define _GNU_SOURCE
#include "explain/asserts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "explain/argument.h"
#include "explain/assert_search.h"
#include "explain/chain.h"
#include "explain/explanation.h"
#include "explain/expression.h"
#include "explain/memory.h"

enum { LOADS_MOST = 4, TRIED_MOST = 16, DIVISIONS_US = 800000 };

/* An assert that failed: of `index`, which a load decides, and `bound`, each -1 where the condition
 * is no comparison. */
typedef struct refusal {
  const explanation *x;
  const ag_graph_assert *a;
  ag_chain c;
  ag_failure f;
  int32_t broken, beside; /* the part of the condition that does not hold; its sibling, or -1 */
  int32_t index, bound;
  const char *must;          /* "be less than" */
  int32_t loads[LOADS_MOST]; /* that the index is computed from */
  int nloads;
} refusal;

static const ag_graph_node *node_of(const refusal *f, int32_t node) { return &f->x->g.nodes[node]; }

static bool is_false(ag_number x) { return !ag_number_is_true(x); }

/* ---- the condition -------------------------------------------------------------------------- */

static bool is_conjunction(const ag_graph_node *x) {
  return x->is == AG_NODE_OP && x->n == 2 &&
         (strcmp(x->text, "&") == 0 || strcmp(x->text, "&&") == 0);
}

/* Of "a & b" the one that does not hold. */
static int32_t find_broken(refusal *f, int32_t node) {
  f->beside = -1;
  const ag_graph_node *x = node_of(f, node);
  ag_number first;
  while (is_conjunction(x) && ag_interpret(f->c.m, x->args[0], &first)) {
    bool second = ag_number_is_true(first);
    node = x->args[second];
    f->beside = x->args[!second];
    x = node_of(f, node);
  }
  return node;
}

static void note_load(void *data, int32_t node) {
  refusal *f = data;
  if (node_of(f, node)->is == AG_NODE_LOAD && f->nloads < LOADS_MOST) f->loads[f->nloads++] = node;
}

static bool has_load(refusal *f, int32_t node) {
  f->nloads = 0;
  ag_assert_each_leaf(f->c.m, node, false, note_load, f);
  return f->nloads > 0;
}

/* What the index must be; turned: it stands on the right. */
static const char *name_demand(const char *op, bool turned) {
  static const char *const demands[][3] = {{"<", "be less than", "be greater than"},
                                           {"<=", "be at most", "be at least"},
                                           {">", "be greater than", "be less than"},
                                           {">=", "be at least", "be at most"},
                                           {"==", "be", "be"},
                                           {"!=", "not be", "not be"}};
  for (size_t i = 0; i < sizeof demands / sizeof *demands; i++)
    if (strcmp(demands[i][0], op) == 0) return demands[i][turned ? 2 : 1];
  return NULL;
}

static void read_comparison(refusal *f) {
  const ag_graph_node *x = node_of(f, f->broken);
  f->index = f->bound = -1;
  if (x->is != AG_NODE_OP || x->n != 2 || !name_demand(x->text, false)) return;
  bool turned = has_load(f, x->args[1]);
  if (!turned && !has_load(f, x->args[0])) return;
  f->must = name_demand(x->text, turned);
  f->index = x->args[turned ? 1 : 0];
  f->bound = x->args[turned ? 0 : 1];
}

/* ---- names ---------------------------------------------------------------------------------- */

static const ag_arg *arg_of_access(const refusal *f, const ag_graph_access *a) {
  int32_t param = f->x->g.memories[a->memory].param;
  return param >= 0 ? ag_explanation_arg(f->x, param) : NULL;
}

static void begin_line(ag_text *t) { ag_text_addf(t, "%16s", ""); }

/* Each tensor that the index was loaded from. */
static void add_writers(ag_text *t, const refusal *f) {
  const ag_arg *last = NULL;
  for (int i = 0; i < f->nloads; i++) {
    const ag_arg *a = arg_of_access(f, &f->x->g.accesses[node_of(f, f->loads[i])->index]);
    if (!a || a == last) continue;
    last = a;
    begin_line(t);
    ag_argument_add_name(t, a->param);
    ag_text_add(t, ": ");
    ag_argument_add_writer(t, f->x->r->launch.model, a->param);
    ag_text_add(t, "\n");
  }
}

/* ---- the bound ------------------------------------------------------------------------------ */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Does the word stand in an expression. */
static bool has_word(const char *text, const char *word) {
  size_t n = strlen(word);
  for (const char *at = text; n && (at = strstr(at, word)); at += n)
    if ((at == text || !is_word(at[-1])) && !is_word(at[n])) return true;
  return false;
}

/* The dimension of an input whose length the symbol is. */
static bool add_symbol(ag_text *t, const aotigen_model *m, const char *scalar) {
  for (uint32_t i = 0; i < m->ninputs; i++) {
    const aotigen_input *in = &m->inputs[i];
    for (int32_t d = 0; d < in->ndim && in->dims; d++) {
      if (!in->dims[d].symbol || !has_word(scalar, in->dims[d].symbol)) continue;
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
static void add_own_name(ag_text *t, const refusal *f) {
  const char *text = f->a->text, *end = text + strlen(text), *begin = end;
  while (begin > text && is_word(begin[-1])) begin--;
  if (begin < end && !isdigit((unsigned char)*begin)) {
    ag_text_add_bytes(t, begin, (size_t)(end - begin));
    ag_text_add(t, " = ");
  }
}

static const ag_graph_node *skip_casts(const refusal *f, int32_t node) {
  const ag_graph_node *x = node_of(f, node);
  while (x->is == AG_NODE_OP && x->n == 1 && strcmp(x->text, "cast") == 0)
    x = node_of(f, x->args[0]);
  return x;
}

/* A bound that the kernel is given: "ks0 = s2 = 7, the length of arg4_1 (args[3]) ..." */
static bool add_given(ag_text *t, const refusal *f, int64_t value) {
  const ag_graph_node *x = skip_casts(f, f->bound);
  const ag_arg *a = x->is == AG_NODE_PARAM ? ag_explanation_arg(f->x, x->index) : NULL;
  if (!a) return false;
  begin_line(t);
  add_own_name(t, f);
  ag_text_addf(t, "%s = %lld", a->param->name, (long long)value);
  add_symbol(t, f->x->r->launch.model, a->param->name);
  ag_text_add(t, value ? "\n" : ": it is empty, no index is valid\n");
  return true;
}

enum { BELOW_MAX = 4096 };

/* An argument has a lower number than what it is one of. `*left` nodes may yet be looked at. */
static bool is_below(const ag_graph *g, int32_t node, int32_t wanted, int depth, int *left) {
  const ag_graph_node *x = &g->nodes[node];
  if (node == wanted) return true;
  if (node < wanted || --*left < 0) return false;
  for (int32_t i = 0; i < x->n && depth < 16; i++)
    if (is_below(g, x->args[i], wanted, depth + 1, left)) return true;
  return false;
}

/* The tensor whose elements the index chooses: of the first access behind the assert that has it.
 */
static const ag_arg *find_indexed(const refusal *f) {
  for (int32_t i = 0; i < f->x->g.naccesses; i++) {
    const ag_graph_access *a = &f->x->g.accesses[i];
    const ag_arg *arg = arg_of_access(f, a);
    int left = BELOW_MAX;
    if (a->order > f->a->order && arg && is_below(&f->x->g, a->index, f->index, 0, &left))
      return arg;
  }
  return NULL;
}

/* "6, the length of arg2_1 (args[1]) in dimension 0"; without the dimension where more than one has
 * that length. */
static void add_indexed(ag_text *t, const ag_arg *a, int64_t bound) {
  int dimension = -1, n = 0;
  for (int i = 0; a->view.state == AG_VIEW_OK && i < a->view.t.ndim; i++) {
    if (a->view.t.sizes[i] != bound) continue;
    dimension = i;
    n++;
  }
  begin_line(t);
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

/* The other end of an index that is less than 0; else -1. */
static int32_t find_end(const refusal *f) {
  const ag_graph_node *x = f->beside >= 0 ? node_of(f, f->beside) : NULL;
  bool compares = x && x->is == AG_NODE_OP && x->n == 2 && name_demand(x->text, false);
  if (!compares || (x->args[0] != f->index && x->args[1] != f->index)) return -1;
  return x->args[x->args[0] == f->index];
}

static void add_bound(ag_text *t, refusal *f) {
  const ag_arg *indexed = f->index >= 0 ? find_indexed(f) : NULL;
  int64_t value;
  if (f->bound < 0 || !ag_interpret_whole(f->c.m, f->bound, &value)) return;
  bool is_low = !value && skip_casts(f, f->bound)->is == AG_NODE_INTEGER;
  if (is_low && find_end(f) >= 0 && ag_interpret_whole(f->c.m, find_end(f), &value))
    f->bound = find_end(f);
  if (!add_given(t, f, value) && indexed) add_indexed(t, indexed, value);
}

/* ---- the report ----------------------------------------------------------------------------- */

static void add_value(ag_text *t, const refusal *f, int32_t node) {
  int64_t value;
  if (ag_interpret_whole(f->c.m, node, &value))
    ag_text_add_int(t, value);
  else
    ag_text_add(t, "?");
}

/* "arg1_1[1, 2] = 100 makes the index 100": what `node` is, and the elements that it comes from. */
static void add_made(ag_text *t, refusal *f, const char *makes, const char *make, int32_t node) {
  has_load(f, node);
  for (int i = 0; i < f->nloads; i++) {
    ag_text_add(t, i ? ", " : "");
    ag_expression_add(t, &f->c, f->loads[i]);
    ag_text_add(t, " = ");
    add_value(t, f, f->loads[i]);
  }
  ag_text_add(t, f->nloads > 1 ? make : makes);
  add_value(t, f, node);
}

/* "arg1_1[1, 2] = 100 makes the index 100, which must be less than 100:" */
static void add_head(ag_text *t, refusal *f) {
  ag_text_add(t, "  how           ");
  if (f->index < 0) {
    ag_text_addf(t, "'%s' is asserted, and does not hold\n", f->a->text);
    return;
  }
  add_made(t, f, " makes the index ", " make the index ", f->index);
  ag_text_addf(t, ", which must %s ", f->must);
  add_value(t, f, f->bound);
  ag_text_add(t, ":\n");
}

static void add_chain(ag_text *t, refusal *f) {
  ag_chain_follow(&f->c, f->broken);
  for (int i = 0; i < f->c.n; i++) {
    begin_line(t);
    ag_text_addf(t, "%s\n", ag_text_string(&f->c.lines[i]));
  }
}

static void add_failure(ag_text *t, refusal *f) {
  f->broken = find_broken(f, f->f.holds);
  read_comparison(f);
  add_head(t, f);
  if (f->index < 0) has_load(f, f->broken);
  add_chain(t, f);
  add_bound(t, f);
  add_writers(t, f);
}

/* What the kernel stored in an array of its own, from where the divisor is loaded: a lambda that
 * divides lane by lane has such arrays. */
static int32_t find_stored(refusal *f, int32_t node) {
  for (int i = 0; i < LOADS_MOST; i++) {
    const ag_graph_node *x = node_of(f, node);
    ag_place place;
    if (x->is != AG_NODE_LOAD || f->x->g.memories[f->x->g.accesses[x->index].memory].param >= 0 ||
        !ag_memory_find_place(f->c.m, node, true, &place) || !place.store)
      break;
    node = place.store->value;
  }
  return node;
}

static void add_division(ag_text *t, refusal *f) {
  f->broken = find_stored(f, f->f.holds);
  ag_text_add(t, "  how           ");
  add_made(t, f, " makes the divisor ", " make the divisor ", f->broken);
  ag_text_add(t, ":\n");
  add_chain(t, f);
  has_load(f, f->broken);
  add_writers(t, f);
}

/* Which iteration reads the element is not known. */
static void add_element(ag_text *t, refusal *f) {
  const ag_arg *a = arg_of_access(f, &f->x->g.accesses[node_of(f, f->f.load)->index]);
  ag_text_addf(t, "  how           perhaps of %s", a->param->name);
  ag_tensor_describe_index(t, &a->view.t, f->f.flat);
  ag_text_addf(t, " = %lld", (long long)f->f.value);
  ag_text_addf(t, ", for which '%s' does not hold\n", f->a->text);
  f->loads[0] = f->f.load;
  f->nloads = 1;
  add_writers(t, f);
}

/* True where the assert holds everywhere, so that another one failed. thrown: it is known that one
 * of its text did. */
static bool explain(ag_text *t, const explanation *x, const ag_graph_assert *a, bool thrown,
                    void (*say)(ag_text *, refusal *)) {
  ag_interpreter m;
  if (!ag_interpreter_begin(&m, &x->g, x->operands, ag_memory_load)) return false;
  refusal f = {.x = x, .a = a};
  f.c = (ag_chain){
      .m = &m, .name = ag_explanation_name, .data = (void *)(uintptr_t)x, .is_bad = is_false};
  enum ag_searched found = ag_assert_search(&m, a, &f.f);
  if (found == AG_FAILS)
    say(t, &f);
  else if (found == AG_FAILS_AT)
    add_element(t, &f);
  else if (*m.why.text && thrown)
    ag_text_addf(t, "  how           is not explained: %s\n", m.why.text);
  bool holds = found == AG_FAILS_NOWHERE && (!*m.why.text || !thrown);
  ag_chain_free(&f.c);
  ag_interpreter_end(&m);
  return holds;
}

/* Where a device's memory lies is known, what it holds is not. */
static const char *refuse_to_read(void *data, const ag_arg *a, int64_t at, size_t size, void *to,
                                  bool *late) {
  (void)data;
  (void)a;
  (void)at;
  (void)size;
  (void)to;
  (void)late;
  return "it lies in the memory of a device";
}

/* Of what is gone nothing is read. */
static void keep_readable(explanation *x, uint64_t readable) {
  for (int32_t i = 0; i < x->g.nparams; i++) {
    int number = x->from->args[i];
    if (number < 0 || number >= 64 || !(readable >> number & 1)) x->operands[i].is_gone = true;
  }
}

void ag_assert_explain(ag_text *t, const ag_record *r, uint64_t readable, const char *what) {
  const ag_element_source nowhere = {.read = refuse_to_read};
  explanation x;
  int tried = 0;
  if (!ag_explanation_begin(&x, r, &nowhere)) return;
  keep_readable(&x, readable);
  for (int32_t i = 0; i < x.g.nasserts && tried < TRIED_MOST; i++) {
    if (what && !has_word(what, x.g.asserts[i].text)) continue;
    tried++;
    if (!explain(t, &x, &x.g.asserts[i], what != NULL, add_failure)) tried = TRIED_MOST;
  }
  ag_explanation_end(&x);
}

/* ---- divisions ------------------------------------------------------------------------------ */

typedef struct first_load {
  const ag_graph *g;
  int32_t node;
} first_load;

static void note_first_load(void *data, int32_t node) {
  first_load *to = data;
  if (to->node < 0 && to->g->nodes[node].is == AG_NODE_LOAD) to->node = node;
}

/* A division of integers whose divisor loads decide: by 0 the processor raises a signal, and torch
 * 2.13 an exception. The assert is that the divisor is not 0, where its first load is made. */
static bool read_division(ag_interpreter *m, const ag_graph_node *x, ag_graph_assert *to) {
  first_load load = {.g = m->g, .node = -1};
  if (x->is != AG_NODE_OP || x->n != 2 || (strcmp(x->text, "//") && strcmp(x->text, "%")))
    return false;
  if (!ag_assert_each_leaf(m, x->args[1], false, note_first_load, &load) || load.node < 0)
    return false;
  *to = (ag_graph_assert){.holds = x->args[1],
                          .when = m->g->accesses[m->g->nodes[load.node].index].when,
                          .text = "divisor != 0"};
  return true;
}

static void explain_divisions(ag_text *t, const explanation *x) {
  ag_interpreter m;
  bool *tried = calloc((size_t)x->g.nnodes + 1, sizeof *tried);
  int64_t until = ag_time_us() + DIVISIONS_US;
  if (!tried) return;
  if (ag_interpreter_begin(&m, &x->g, x->operands, ag_memory_load)) {
    for (int32_t i = 0; i < x->g.nnodes && ag_time_us() < until; i++) {
      ag_graph_assert a;
      if (!read_division(&m, &x->g.nodes[i], &a) || tried[a.holds]) continue;
      tried[a.holds] = true;
      if (!explain(t, x, &a, false, add_division)) break;
    }
    ag_interpreter_end(&m);
  }
  free(tried);
}

void ag_division_explain(ag_text *t, const ag_record *r, uint64_t readable) {
  const ag_element_source nowhere = {.read = refuse_to_read};
  explanation x;
  if (!ag_explanation_begin(&x, r, &nowhere)) return;
  keep_readable(&x, readable);
  if (!x.g.triton) explain_divisions(t, &x);
  ag_explanation_end(&x);
}
