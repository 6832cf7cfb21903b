/* refusal.c - see refusal.h. */
#define _GNU_SOURCE
#include "explain/refusal.h"

#include "explain/argument.h"
#include "explain/expression.h"
#include "explain/memory.h"

static const ag_graph_node *node_of(const ag_refusal *f, int32_t node) {
  return &f->x->g.nodes[node];
}

/* ---- what it is computed from --------------------------------------------------------------- */

static void note_load(void *data, int32_t node) {
  ag_refusal *f = data;
  if (node_of(f, node)->kind == NODE_LOAD && f->nloads < AG_REFUSAL_LOADS)
    f->loads[f->nloads++] = node;
}

void ag_refusal_add_loads(ag_refusal *f, int32_t node) {
  ag_assert_each_leaf(f->c.m, node, false, note_load, f);
}

bool ag_refusal_has_load(ag_refusal *f, int32_t node) {
  f->nloads = 0;
  ag_refusal_add_loads(f, node);
  return f->nloads > 0;
}

const ag_arg *ag_refusal_arg(const ag_refusal *f, const ag_graph_access *a) {
  int32_t param = f->x->g.memories[a->memory].param;
  return param >= 0 ? ag_explanation_arg(f->x, param) : NULL;
}

/* ---- words ---------------------------------------------------------------------------------- */

void ag_refusal_begin_how(ag_text *t) { ag_text_add(t, "  how           "); }

void ag_refusal_begin_line(ag_text *t) { ag_text_addf(t, "%16s", ""); }

void ag_refusal_add_value(ag_text *t, const ag_refusal *f, int32_t node) {
  ag_number value;
  if (ag_interpret_quietly(f->c.m, node, &value))
    ag_expression_add_number(t, value);
  else
    ag_text_add(t, "?");
}

void ag_refusal_add_elements(ag_text *t, ag_refusal *f) {
  for (int i = 0; i < f->nloads; i++) {
    ag_text_add(t, i ? ", " : "");
    ag_expression_add(t, &f->c, f->loads[i]);
    ag_text_add(t, " = ");
    ag_refusal_add_value(t, f, f->loads[i]);
  }
}

void ag_refusal_add_chain(ag_text *t, ag_refusal *f) {
  ag_chain_follow(&f->c, f->broken);
  for (int i = 0; i < f->c.n; i++) {
    ag_refusal_begin_line(t);
    ag_text_addf(t, "%s\n", ag_text_string(&f->c.lines[i]));
  }
}

void ag_refusal_add_writers(ag_text *t, const ag_refusal *f) {
  const ag_arg *last = NULL;
  for (int i = 0; i < f->nloads; i++) {
    const ag_arg *a = ag_refusal_arg(f, &f->x->g.accesses[node_of(f, f->loads[i])->index]);
    bool own = a && a->param->role == AOTIGEN_OUT; /* written by this launch */
    if (!a || a == last || own || ag_expression_is_masked_off(&f->c, f->loads[i])) continue;
    last = a;
    ag_refusal_begin_line(t);
    ag_argument_add_name(t, a->param);
    ag_text_add(t, ": ");
    ag_argument_add_writer(t, f->x->r->launch.model, a->param);
    ag_text_add(t, "\n");
  }
}

/* ---- all ------------------------------------------------------------------------------------ */

static bool is_false(ag_number x) { return !ag_number_is_true(x); }

enum ag_searched ag_refusal_explain(ag_text *t, const explanation *x, const ag_graph_assert *a,
                                    ag_refusal_say *say, ag_refusal_say *say_may, void *data,
                                    uint64_t *left, ag_reason *why) {
  ag_interpreter m;
  *why = (ag_reason){.text = "no memory is left"};
  if (!ag_interpreter_begin(&m, &x->g, x->operands, ag_memory_load)) return AG_FAILS_NOWHERE;
  m.work_most = *left;
  ag_refusal f = {.x = x, .data = data};
  f.c = (ag_chain){
      .m = &m, .name = ag_explanation_name, .data = (void *)(uintptr_t)x, .is_bad = is_false};
  enum ag_searched found = ag_assert_search(&m, a, &f.f);
  *why = m.why;
  *left -= m.work < *left ? m.work : *left;
  if (found == AG_FAILS) say(t, &f);
  if (found == AG_FAILS_AT && say_may) say_may(t, &f);
  ag_chain_free(&f.c);
  ag_interpreter_end(&m);
  return found;
}

void ag_refusal_add_reason(ag_text *t, const ag_reason *why) {
  ag_refusal_begin_how(t);
  ag_text_addf(t, "is not explained: %s\n", why->text);
}

/* Refuses: the address of a device's memory is known, but not its contents. */
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

/* Marks the operands that no longer exist: nothing is read from them. */
static void keep_readable(explanation *answer, uint64_t readable) {
  for (int32_t i = 0; i < answer->g.nparams; i++) {
    int number = answer->from->args[i];
    if (number < 0 || number >= 64 || !(readable >> number & 1)) answer->operands[i].is_gone = true;
  }
}

bool ag_refusal_begin(explanation *answer, const ag_record *record, uint64_t readable) {
  static const ag_element_source nowhere = {.read = refuse_to_read};
  if (!ag_explanation_begin(answer, record, &nowhere)) return false;
  keep_readable(answer, readable);
  return true;
}
