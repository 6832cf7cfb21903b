/* divisions.c - see divisions.h. */
#define _GNU_SOURCE
#include "explain/divisions.h"

#include <string.h>

#include "explain/expression.h"
#include "explain/memory.h"
#include "explain/refusal.h"
#include "explain/work.h"

enum { LOOPS_MOST = 32, ARRAYS_MOST = 4, OTHERS_MOST = 3, WORK_MOST = 4 * AG_WORK_MOST };

/* ---- those that fail ------------------------------------------------------------------------ */

typedef struct failures {
  ag_text first, elements;   /* the first failure's explanation, and "arg1_1[2, 3] = 0" */
  ag_text others;            /* lines */
  int64_t steps[LOOPS_MOST]; /* the first failure's iteration, by loop; INT64_MIN if it has none */
  int n, nothers;
  bool overflows; /* searches for overflows, not for divisors of 0 */
} failures;

static int64_t step_of(const ag_interpreter *m, int32_t loop) {
  bool bound = loop < m->g->nloops && m->g->loops[loop].kind == LOOP_FOR && m->loops.bound[loop];
  return bound ? m->loops.steps[loop] : INT64_MIN;
}

/* True if the failure is in an earlier iteration, or in a loop that precedes the other's. */
static bool is_first(const failures *all, const ag_interpreter *m) {
  for (int32_t i = 0; i < LOOPS_MOST && all->n; i++) {
    int64_t here = step_of(m, i), there = all->steps[i];
    if (here != there) return there == INT64_MIN || (here != INT64_MIN && here < there);
  }
  return !all->n;
}

static void add_other(failures *all, const ag_text *elements) {
  if (!elements->length || all->nothers >= OTHERS_MOST) return;
  if (strcmp(ag_text_string(&all->elements), ag_text_string(elements)) == 0 ||
      (all->others.length && strstr(ag_text_string(&all->others), ag_text_string(elements))))
    return;
  all->nothers++;
  ag_refusal_begin_line(&all->others);
  ag_text_addf(&all->others, "%s: %s\n",
               all->overflows ? "another quotient does not fit" : "another divisor is 0",
               ag_text_string(elements));
}

/* The node whose value the kernel stored to an array of its own, from which the divisor is loaded.
 * A lambda that divides lane by lane has such arrays. */
static int32_t find_stored(ag_refusal *f, int32_t node) {
  for (int i = 0; i < ARRAYS_MOST; i++) {
    const ag_graph_node *x = &f->x->g.nodes[node];
    ag_place place;
    if (x->kind != NODE_LOAD || f->x->g.memories[f->x->g.accesses[x->index].memory].param >= 0 ||
        !ag_memory_find_place(f->c.m, node, true, &place) || !place.store)
      break;
    node = place.store->value;
  }
  return node;
}

/* 1 if a store is made on this lane, 0 if it is not, -1 if that is not decided. */
static int is_made(ag_interpreter *m, const ag_graph_access *access) {
  ag_number when = {.type = GRAPH_BOOL, .whole = 1};
  bool store = access->kind != ACCESS_LOAD && m->g->memories[access->memory].param >= 0;
  if (!store || (access->when >= 0 && !ag_interpret_quietly(m, access->when, &when))) return -1;
  return ag_number_is_true(when);
}

/* True if the kernel stores what it computes on the first lane, but not on this one, such as behind
 * the end of a row. Torch divides whole vectors. */
static bool is_behind_stores(ag_interpreter *m) {
  int64_t lane = m->loops.lane;
  bool here = false, first = false;
  for (int32_t i = 0; i < m->g->naccesses && lane > 0; i++) {
    const ag_graph_access *x = &m->g->accesses[i];
    ag_interpreter_bind_lane(m, lane);
    int made = is_made(m, x);
    ag_interpreter_bind_lane(m, 0);
    here = here || made == 1;
    first = first || (made == 0 && is_made(m, x) == 1);
  }
  ag_interpreter_bind_lane(m, lane);
  return first && !here;
}

static void end_head(ag_text *t, bool unstored) {
  ag_text_addf(t, "%s:\n", unstored ? ", in a lane that the kernel does not store" : "");
}

/* elements: gets those that make the divisor 0. */
static void add_zero(ag_text *t, ag_refusal *f, ag_text *elements) {
  bool unstored = is_behind_stores(f->c.m);
  f->broken = find_stored(f, f->x->g.nodes[f->f.holds].args[0]);
  bool made = ag_refusal_has_load(f, f->broken);
  ag_refusal_add_elements(elements, f);
  ag_refusal_begin_how(t);
  ag_text_add(t, ag_text_string(elements));
  ag_text_add(t, !made            ? "the divisor is 0"
                 : f->nloads == 1 ? " makes the divisor 0"
                                  : " make the divisor 0");
  end_head(t, unstored);
  ag_refusal_add_chain(t, f);
  ag_refusal_add_writers(t, f);
}

static void add_operand(ag_text *t, ag_refusal *f, int32_t node) {
  if (ag_refusal_has_load(f, node))
    ag_refusal_add_elements(t, f);
  else
    ag_refusal_add_value(t, f, node);
}

/* True if the dividend or the divisor is one that overflows. */
static bool is_extreme(ag_number x) {
  return x.whole == -1 || x.whole == INT32_MIN || x.whole == INT64_MIN;
}

/* elements: gets those that make the dividend and the divisor. */
static void add_overflow(ag_text *t, ag_refusal *f, ag_text *elements) {
  const ag_graph *g = &f->x->g;
  const ag_graph_node *fits = &g->nodes[f->f.holds];
  bool unstored = is_behind_stores(f->c.m);
  int32_t by = find_stored(f, g->nodes[fits->args[0]].args[0]),
          of = find_stored(f, g->nodes[fits->args[1]].args[0]);
  add_operand(elements, f, of);
  ag_text_add(elements, " divided by ");
  add_operand(elements, f, by);
  ag_refusal_begin_how(t);
  ag_text_addf(t, "%s does not fit %s", ag_text_string(elements),
               ag_graph_type_name((graph_type)g->nodes[of].type));
  end_head(t, unstored);
  f->c.is_bad = is_extreme;
  ag_chain_follow(&f->c, of); /* its lines stand before the divisor's */
  f->broken = by;
  ag_refusal_add_chain(t, f);
  f->nloads = 0;
  ag_refusal_add_loads(f, of);
  ag_refusal_add_loads(f, by);
  ag_refusal_add_writers(t, f);
}

static void swap(ag_text *x, ag_text *y) {
  ag_text kept = *x;
  *x = *y;
  *y = kept;
}

static void note_failure(ag_text *t, ag_refusal *f) {
  failures *all = f->data;
  ag_text elements = {0};
  bool first = is_first(all, f->c.m);
  for (int32_t i = 0; i < LOOPS_MOST && first; i++) all->steps[i] = step_of(f->c.m, i);
  if (all->overflows)
    add_overflow(t, f, &elements);
  else
    add_zero(t, f, &elements);
  if (first) {
    swap(&all->first, t);
    swap(&all->elements, &elements);
  }
  add_other(all, &elements);
  all->n++;
  ag_text_free(&elements);
}

/* ---- all ------------------------------------------------------------------------------------ */

static bool has_operands(const ag_graph_node *node) {
  return node->kind == NODE_OP && node->n == 2;
}

static bool is_overflow(const ag_graph_assert *a) { return strcmp(a->text, GRAPH_QUOTIENT) == 0; }

static bool is_division(const ag_graph *g, const ag_graph_assert *a) {
  const ag_graph_node *holds = &g->nodes[a->holds];
  if (!ag_graph_is_of_division(a) || !has_operands(holds)) return false;
  return !is_overflow(a) ||
         (has_operands(&g->nodes[holds->args[0]]) && has_operands(&g->nodes[holds->args[1]]));
}

/* Explains the divisors, or the overflows. Skips a divisor that is 0 only if it is used: the kernel
 * may use other elements of that tensor. why: gets the first reason why one is not decided. */
static void explain_each(failures *all, const explanation *answer, uint64_t *left, ag_reason *why) {
  for (int32_t i = 0; i < answer->g.nasserts && *left; i++) {
    const ag_graph_assert *a = &answer->g.asserts[i];
    ag_text said = {0};
    ag_reason undecided;
    if (!is_division(&answer->g, a) || is_overflow(a) != all->overflows) continue;
    uint64_t most = *left < AG_WORK_MOST ? *left : AG_WORK_MOST, part = most;
    enum ag_searched found =
        ag_refusal_explain(&said, answer, a, note_failure, NULL, all, &part, &undecided);
    *left -= most - part;
    if (found != AG_FAILS && !*why->text) *why = undecided;
    ag_text_free(&said);
  }
}

static bool explain_all(ag_text *t, const explanation *answer, bool trapped) {
  uint64_t left = WORK_MOST;
  failures all = {.n = 0};
  ag_reason first = {.text = ""};
  explain_each(&all, answer, &left, &first);
  all.overflows = true;
  if (trapped) explain_each(&all, answer, &left, &first);
  ag_text_add(t, ag_text_string(&all.first));
  ag_text_add(t, ag_text_string(&all.others));
  if (!all.n && *first.text) ag_refusal_add_reason(t, &first);
  ag_text_free(&all.first);
  ag_text_free(&all.elements);
  ag_text_free(&all.others);
  return all.n > 0;
}

bool ag_division_explain(ag_text *t, const ag_record *record, uint64_t readable, bool trapped) {
  explanation x;
  if (!ag_refusal_begin(&x, record, readable)) return false;
  bool found = explain_all(t, &x, trapped);
  ag_explanation_end(&x);
  return found;
}
