/* extern.h - explains what a call of one of torch's own operators computed. Inside the library
 * only.
 *
 * The table of operators is in extern.c. Others are not explained: a report shows their inputs. */
#ifndef AOTIGEN_EXPLAIN_EXTERN_H
#define AOTIGEN_EXPLAIN_EXTERN_H

#include "explain/elements.h"
#include "explain/explained.h"
#include "state/launch_record.h"

/* Adds how element `flat` of argument `out` became NaN or Inf: the first bad term of a matrix
 * product or a sum, a row of -inf of a softmax, a variance of 0. from: as in ag_explain_add_from(),
 * or NULL. Does at most AG_WORK_MOST. *to: what was shown; but
 * for the work it is left alone if nothing was. */
void ag_extern_explain(ag_text *t, const ag_record *record, const ag_element_source *from,
                       size_t out, int64_t flat, ag_explained *to);

#endif
