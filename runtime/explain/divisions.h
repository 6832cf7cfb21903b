/* divisions.h - explains why a kernel of the CPU divided an integer by 0, or the least of its type
 * by -1. Inside the library only. */
#ifndef AOTIGEN_DIVISIONS_H
#define AOTIGEN_DIVISIONS_H

#include "state/launch_record.h"

/* Adds to the report the first division that failed: which elements made a divisor 0 or a quotient
 * too large, how, and which launch wrote them. Loops that run in parallel have no certain order.
 * Other divisions that failed are named after it. Adds nothing if no division fails. trapped: the
 * processor stopped the kernel; otherwise an exception did, and only divisors are checked.
 * `readable`: as for ag_assert_explain(). Takes at most 1 s. False if it is not certain that a
 * division failed. */
bool ag_division_explain(ag_text *t, const ag_record *record, uint64_t readable, bool trapped);

#endif
