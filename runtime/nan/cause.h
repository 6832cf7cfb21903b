/* cause.h - which bad input of a launch explains a bad output, and how surely. Part of the NaN
 * assert. slot_kinds: AG_NAN or AG_INF. */
#ifndef AOTIGEN_CAUSE_H
#define AOTIGEN_CAUSE_H

#include "state/evaluation.h"

typedef struct ag_cause {
  enum ag_certainty certainty; /* AG_SURE: it is one that the launch read */
  uint16_t origin;
} ag_cause;

/* True if each value of the kind's slot in an output is of that origin: the kernel moves elements,
 * and all that it read there are. */
bool ag_cause_is_only(const ag_record *record, size_t out, unsigned kind, uint16_t origin);

/* A bad input that reaches an output and may have decided its kind: an Inf may give a NaN. */
bool ag_cause_is(const ag_record *record, size_t in, unsigned kinds, size_t out);

/* True if the kernel may leave out, or select away, what input number `in` held. Then the elements
 * prove nothing, even if both are bad at the same place. */
bool ag_cause_may_be_selected(const ag_record *record, size_t in, unsigned slot_kinds, size_t out);

/* True if a value that the argument still holds may have been written again: the launch read one of
 * the same kinds at that element, of another origin. */
bool ag_cause_meets_other(ag_evaluation *e, unsigned slot_kinds, size_t out);

/* True if a value of this slot that was read reaches the output; `found` tells its origin. If
 * several may have, the elements decide. Reports the origins of all that may. */
bool ag_cause_find(ag_evaluation *e, unsigned slot_kinds, unsigned kind, size_t out,
                   ag_cause *found);

#endif
