/* cause.h - which bad input of a launch explains a bad output, and how surely. Part of the NaN
 * assert. slot_kinds: AG_NAN or AG_INF. */
#ifndef AOTIGEN_CAUSE_H
#define AOTIGEN_CAUSE_H

#include "state/evaluation.h"

typedef struct ag_cause {
  enum ag_certainty certainty; /* is it surely one that the launch read */
  uint16_t origin;
} ag_cause;

/* A bad input that reaches an output and may have decided its kind: an Inf may give a NaN. */
bool ag_cause_is(const ag_record *record, size_t in, unsigned kinds, size_t out);

/* May the kernel leave out, or select away, what input number `in` held: the elements show nothing
 * then, though both are bad at one place. */
bool ag_cause_may_be_selected(const ag_record *record, size_t in, unsigned slot_kinds, size_t out);

/* What an argument holds as before may also have been written there: the launch read the like at
 * that element, of another origin. */
bool ag_cause_meets_other(ag_evaluation *e, unsigned slot_kinds, size_t out);

/* Was a value of this slot read that reaches the output, and from which origin. Where several may
 * have, the elements decide. Reports the origins of all that may. */
bool ag_cause_find(ag_evaluation *e, unsigned slot_kinds, unsigned kind, size_t out,
                   ag_cause *found);

#endif
