/* refusal.h - a demand of a kernel's that does not hold, an assert's or a division's, in the words
 * of a report. Inside the library only. */
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
  int32_t broken;                  /* the node that is not what it must be */
  int32_t loads[AG_REFUSAL_LOADS]; /* that it is computed from */
  int nloads;
  void *data; /* of the caller */
} ag_refusal;

typedef void ag_refusal_say(ag_text *t, ag_refusal *f);

/* The arguments of the record's launch, of which bit i of `readable` says that the elements of
 * argument i are still there. False where there is no graph of the kernel; else
 * ag_explanation_end(). */
bool ag_refusal_begin(explanation *answer, const ag_record *record, uint64_t readable);

/* Has `say` speak where the demand fails, and say_may where it fails if the kernel reads an
 * element. say_may may be NULL. `why`: what was not decided, "" where all was. */
enum ag_searched ag_refusal_explain(ag_text *t, const explanation *x, const ag_graph_assert *a,
                                    ag_refusal_say *say, ag_refusal_say *say_may, void *data,
                                    ag_reason *why);
void ag_refusal_add_reason(ag_text *t, const ag_reason *why);

/* Lists in f->loads what the node is computed from. False where that is nothing. */
bool ag_refusal_has_load(ag_refusal *f, int32_t node);
/* The same behind those that are listed. */
void ag_refusal_add_loads(ag_refusal *f, int32_t node);
/* Of the memory that it accesses; NULL of an array of the kernel's. */
const ag_arg *ag_refusal_arg(const ag_refusal *f, const ag_graph_access *a);

/* The label of a report's line, and the begin of those below it. */
void ag_refusal_begin_how(ag_text *t);
void ag_refusal_begin_line(ag_text *t);
void ag_refusal_add_value(ag_text *t, const ag_refusal *f, int32_t node);
/* "arg1_1[1, 2] = 100, arg2_1[0] = 3" of f->loads. */
void ag_refusal_add_elements(ag_text *t, ag_refusal *f);
/* How f->broken was computed, a line for each step. */
void ag_refusal_add_chain(ag_text *t, ag_refusal *f);
/* Who wrote each tensor of f->loads, a line for each. */
void ag_refusal_add_writers(ag_text *t, const ag_refusal *f);

#endif
