/* lookup.h - explains why one of torch's own operators refused an index. Inside the library only.
 */
#ifndef AOTIGEN_EXPLAIN_LOOKUP_H
#define AOTIGEN_EXPLAIN_LOOKUP_H

#include "state/launch_record.h"

/* After the call failed: adds the first index that lies outside, where the operator looks elements
 * up, such as embedding and index_select, and has one. Bit i of `readable`: the elements of
 * argument i are still there. Takes 0.2 s at most. */
void ag_lookup_explain(ag_text *t, const ag_record *record, uint64_t readable);

/* The argument, as a bit, whose elements that needs; 0: none. */
uint64_t ag_lookup_find_indices(const ag_record *record);

#endif
