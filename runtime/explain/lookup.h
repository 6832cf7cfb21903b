/* lookup.h - explains why one of torch's own operators refused an index. Inside the library only.
 */
#ifndef AOTIGEN_EXPLAIN_LOOKUP_H
#define AOTIGEN_EXPLAIN_LOOKUP_H

#include "state/launch_record.h"

/* Explains a failed call of an operator that looks elements up, or stores to such, as embedding,
 * index_select, index_put and scatter do: adds the first index that is out of range, if there is
 * one. Bit i of `readable`: the elements of
 * argument i still exist. Does at most AG_WORK_MOST. */
void ag_lookup_explain(ag_text *t, const ag_record *record, uint64_t readable);

/* The arguments whose elements it needs, as bits; 0 if there is none. */
uint64_t ag_lookup_find_indices(const ag_record *record);

#endif
