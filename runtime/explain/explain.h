/* explain.h - shows how a kernel computed a bad value: from the stored element down to where the
 * badness begins. Inside the library only. */
#ifndef AOTIGEN_EXPLAIN_H
#define AOTIGEN_EXPLAIN_H

#include "explain/elements.h"
#include "state/launch_record.h"

/* Adds to a report how element `flat` of argument `out`, which is NaN or Inf, was computed from
 * what the launch read; or why that is not known. Adds nothing where the site launches no kernel
 * whose graph is known, or where the tensors are not in the host's memory. The launch has just been
 * evaluated: nothing has written to its arguments since. Takes 0.2 s at most. */
void ag_explain_add(ag_text *t, const ag_record *record, size_t out, int64_t flat);

/* The same where tensors may be in a device's memory: it is read through `from`. The launch is
 * over; others may have written to its arguments since, and it is said whether they may. */
void ag_explain_add_from(ag_text *t, const ag_record *record, const ag_element_source *from,
                         size_t out, int64_t flat);

#endif
