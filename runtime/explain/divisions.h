/* divisions.h - explains why a kernel of the CPU divided an integer by 0, or the least of its type
 * by -1. Inside the library only. */
#ifndef AOTIGEN_DIVISIONS_H
#define AOTIGEN_DIVISIONS_H

#include "state/launch_record.h"

/* Adds to the report which elements made a divisor 0, or a quotient too large, how, and which
 * launch wrote them: of the first division that did, as far as loops that run in parallel have an
 * order; others are named behind it. Adds nothing where no division fails. trapped: the processor
 * ended the kernel, and not an exception, which is of divisors alone. `readable` as for
 * ag_assert_explain(). Takes 1 s at most. False where it is not sure that there is one. */
bool ag_division_explain(ag_text *t, const ag_record *record, uint64_t readable, bool trapped);

#endif
