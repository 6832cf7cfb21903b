/* explain.h - shows how a kernel computed a bad value: from the stored element back to where the
 * badness begins. Inside the library only. */
#ifndef AOTIGEN_EXPLAIN_H
#define AOTIGEN_EXPLAIN_H

#include "explain/elements.h"
#include "explain/explained.h"
#include "state/launch_record.h"

/* Adds to a report how element `flat` of argument `out`, which is NaN or Inf, was computed from
 * what the launch read, or why that is not known. Adds nothing if the site launches no kernel whose
 * graph is known, or if the tensors are not in the host's memory. The launch has just been
 * evaluated: nothing has written to its arguments since. Does at most AG_WORK_MOST (work.h). */
ag_explained ag_explain_add(ag_text *t, const ag_record *record, size_t out, int64_t flat);

/* Like ag_explain_add(), for tensors that may be in a device's memory: `from` reads it. The launch
 * is over; others may have written to its arguments since, and the report says if they may. */
ag_explained ag_explain_add_from(ag_text *t, const ag_record *record, const ag_element_source *from,
                                 size_t out, int64_t flat);

/* The number of the argument from which the launch loaded the NaN or Inf that it stored as element
 * `flat` of argument `out`, as the graph decides for that element; -1 if the value is the kernel's
 * own, or one of up to 64 more bad elements is, or if that is not known. Knows only tensors in the
 * host's memory, of a launch that has just been evaluated. `left`: the work that may be done, as
 * work.h counts; what was done is taken off. */
int ag_explain_find_source(const ag_record *record, size_t out, int64_t flat, uint64_t *left);

#endif
