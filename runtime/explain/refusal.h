/* refusal.h - reports a condition of a kernel's assert or division that does not hold. Inside the
 * library only. */
#ifndef AOTIGEN_REFUSAL_H
#define AOTIGEN_REFUSAL_H

#include "explain/assert_search.h"
#include "explain/chain.h"
#include "explain/explanation.h"

enum { AG_REFUSAL_LOADS = 4 };

typedef struct ag_refusal {
  const explanation *x;
  ag_chain c;
  ag_failure f;
  int32_t broken;                  /* the node whose value breaks the condition */
  int32_t loads[AG_REFUSAL_LOADS]; /* the loads that it is computed from */
  int nloads;
  void *data; /* the caller's */
} ag_refusal;

typedef void ag_refusal_say(ag_text *t, ag_refusal *f);

/* Begins an explanation with the arguments of the record's launch. Bit i of `readable`: the
 * elements of argument i still exist. False if there is no graph of the kernel; else end it with
 * ag_explanation_end(). */
bool ag_refusal_begin(explanation *answer, const ag_record *record, uint64_t readable);

/* Calls `say` if the condition fails, and say_may if it fails once the kernel reads some element.
 * say_may may be NULL. `why`: what was not decided, "" if all was. `left`: the work that may be
 * done, as work.h counts; what was done is taken off. */
enum ag_searched ag_refusal_explain(ag_text *t, const explanation *x, const ag_graph_assert *a,
                                    ag_refusal_say *say, ag_refusal_say *say_may, void *data,
                                    uint64_t *left, ag_reason *why);
void ag_refusal_add_reason(ag_text *t, const ag_reason *why);

/* Lists in f->loads what the node is computed from. False if there is none. */
bool ag_refusal_has_load(ag_refusal *f, int32_t node);
/* Appends to those that are listed. */
void ag_refusal_add_loads(ag_refusal *f, int32_t node);
/* The argument that it accesses; NULL for an array of the kernel's own. */
const ag_arg *ag_refusal_arg(const ag_refusal *f, const ag_graph_access *a);

/* Adds the label "how" of a report's line; lines below it are indented alike. */
void ag_refusal_begin_how(ag_text *t);
void ag_refusal_begin_line(ag_text *t);
void ag_refusal_add_value(ag_text *t, const ag_refusal *f, int32_t node);
/* Adds f->loads: "arg1_1[1, 2] = 100, arg2_1[0] = 3". */
void ag_refusal_add_elements(ag_text *t, ag_refusal *f);
/* Adds how f->broken was computed, a line for each step. */
void ag_refusal_add_chain(ag_text *t, ag_refusal *f);
/* Adds who wrote each tensor of f->loads, a line for each. */
void ag_refusal_add_writers(ag_text *t, const ag_refusal *f);

#endif
