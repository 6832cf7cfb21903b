/* request.h - shows how a kernel computed an element that the user asks for, whatever its value.
 * Inside the library only. */
#ifndef AOTIGEN_EXPLAIN_REQUEST_H
#define AOTIGEN_EXPLAIN_REQUEST_H

#include "explain/elements.h"
#include "state/launch_record.h"

/* Adds each value that leads to element `flat` of argument `out`, in the order of the kernel's
 * text. A NaN or Inf that begins there is marked, even if what is stored does not show it. Or adds
 * why it is not known. False if the site launches no kernel whose graph is known, or if the
 * tensor's memory cannot be read: then nothing is added. The launch is over. from: as in
 * ag_explain_add_from(), or NULL. Does at most AG_WORK_MOST. */
bool ag_request_explain(ag_text *t, const ag_record *record, const ag_element_source *from,
                        size_t out, int64_t flat);

#endif
