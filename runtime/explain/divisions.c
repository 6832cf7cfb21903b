/* divisions.c - see divisions.h. */
#define _GNU_SOURCE
#include "explain/divisions.h"

#include <string.h>

#include "base/thread.h"
#include "explain/expression.h"
#include "explain/memory.h"
#include "explain/refusal.h"

enum { LOOPS_MOST = 32, ARRAYS_MOST = 4, OTHERS_MOST = 3, TAKES_US = 800000 };

/* ---- those that fail ------------------------------------------------------------------------ */

typedef struct failures {
  ag_text first, elements;   /* of the first one: its explanation, and "arg1_1[2, 3] = 0" */
  ag_text others;            /* lines */
  int64_t steps[LOOPS_MOST]; /* of the first one by loop; INT64_MIN where it has no iteration */
  int n, nothers;
} failures;

static int64_t step_of(const ag_interpreter *m, int32_t loop) {
  bool bound = loop < m->g->nloops && m->g->loops[loop].is == AG_LOOP_FOR && m->bound[loop];
  return bound ? m->steps[loop] : INT64_MIN;
}

/* Is it in an earlier iteration, or in a loop that stands before the other's. */
static bool is_first(const failures *all, const ag_interpreter *m) {
  for (int32_t i = 0; i < LOOPS_MOST && all->n; i++) {
    int64_t here = step_of(m, i), there = all->steps[i];
    if (here != there) return there == INT64_MIN || (here != INT64_MIN && here < there);
  }
  return !all->n;
}

static void add_other(failures *all, const ag_text *elements) {
  if (!elements->length || all->nothers >= OTHERS_MOST) return;
  if (strcmp(ag_text_string(&all->elements), ag_text_string(elements)) == 0) return;
  all->nothers++;
  ag_refusal_begin_line(&all->others);
  ag_text_addf(&all->others, "another divisor is 0: %s\n", ag_text_string(elements));
}

/* What the kernel stored in an array of its own, from where the divisor is loaded: a lambda that
 * divides lane by lane has such arrays. */
static int32_t find_stored(ag_refusal *f, int32_t node) {
  for (int i = 0; i < ARRAYS_MOST; i++) {
    const ag_graph_node *x = &f->x->g.nodes[node];
    ag_place place;
    if (x->is != AG_NODE_LOAD || f->x->g.memories[f->x->g.accesses[x->index].memory].param >= 0 ||
        !ag_memory_find_place(f->c.m, node, true, &place) || !place.store)
      break;
    node = place.store->value;
  }
  return node;
}

/* Is a store made on this lane, where that is decided: 1, 0, or -1. */
static int is_made(ag_interpreter *m, const ag_graph_access *x) {
  ag_number when = {.type = AG_TYPE_BOOL, .whole = 1};
  bool store = x->is != AG_ACCESS_LOAD && m->g->memories[x->memory].param >= 0;
  if (!store || (x->when >= 0 && !ag_interpret_quietly(m, x->when, &when))) return -1;
  return ag_number_is_true(when);
}

/* Does the kernel store what it computes on the first lane, and not on this one, as behind the end
 * of a row: torch divides whole vectors. */
static bool is_behind_stores(ag_interpreter *m) {
  int64_t lane = m->lane;
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

/* elements: gets those that make the divisor 0. */
static void add_failure(ag_text *t, ag_refusal *f, ag_text *elements) {
  bool unstored = is_behind_stores(f->c.m);
  f->broken = find_stored(f, f->x->g.nodes[f->f.holds].args[0]);
  bool made = ag_refusal_has_load(f, f->broken);
  ag_refusal_add_elements(elements, f);
  ag_refusal_begin_how(t);
  ag_text_add(t, ag_text_string(elements));
  ag_text_add(t, !made            ? "the divisor is 0"
                 : f->nloads == 1 ? " makes the divisor 0"
                                  : " make the divisor 0");
  if (unstored) ag_text_add(t, ", in a lane that the kernel does not store");
  ag_text_add(t, ":\n");
  ag_refusal_add_chain(t, f);
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
  add_failure(t, f, &elements);
  if (first) {
    swap(&all->first, t);
    swap(&all->elements, &elements);
  }
  add_other(all, &elements);
  all->n++;
  ag_text_free(&elements);
}

/* ---- all ------------------------------------------------------------------------------------ */

static bool is_division(const ag_graph *g, const ag_graph_assert *a) {
  const ag_graph_node *holds = &g->nodes[a->holds];
  return strcmp(a->text, AG_DIVISOR) == 0 && holds->is == AG_NODE_OP && holds->n == 2;
}

/* Not of one that is 0 if it is used: the kernel may use other elements of that tensor. */
static bool explain_all(ag_text *t, const explanation *x) {
  int64_t until = ag_time_us() + TAKES_US;
  failures all = {.n = 0};
  ag_reason first = {""}, why;
  for (int32_t i = 0; i < x->g.nasserts && ag_time_us() < until; i++) {
    ag_text said = {0};
    if (!is_division(&x->g, &x->g.asserts[i])) continue;
    enum ag_searched found =
        ag_refusal_explain(&said, x, &x->g.asserts[i], note_failure, NULL, &all, &why);
    if (found != AG_FAILS && !*first.text) first = why;
    ag_text_free(&said);
  }
  ag_text_add(t, ag_text_string(&all.first));
  ag_text_add(t, ag_text_string(&all.others));
  if (!all.n && *first.text) ag_refusal_add_reason(t, &first);
  ag_text_free(&all.first);
  ag_text_free(&all.elements);
  ag_text_free(&all.others);
  return all.n > 0;
}

bool ag_division_explain(ag_text *t, const ag_record *r, uint64_t readable) {
  explanation x;
  if (!ag_refusal_begin(&x, r, readable)) return false;
  bool found = explain_all(t, &x);
  ag_explanation_end(&x);
  return found;
}
