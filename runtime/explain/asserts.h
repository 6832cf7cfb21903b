/* asserts.h - explains why an assert of a kernel failed, or a division of integers. Inside the
 * library only. */
#ifndef AOTIGEN_EXPLAIN_ASSERTS_H
#define AOTIGEN_EXPLAIN_ASSERTS_H

#include "state/launch_record.h"

/* Adds to the report of a launch that threw, with an exception of the text `what`, from which
 * element the index was loaded that an assert of the kernel refused, what the bound comes from, and
 * which launch wrote the index. Adds nothing where `what` is the text of no assert; NULL: whether
 * one failed is not known, and it may be any. Bit i of
 * `readable`: the elements of argument i are still there; they are as the launch left them. Takes
 * 0.2 s at most for each assert of that text. */
void ag_assert_explain(ag_text *t, const ag_record *r, uint64_t readable, const char *what);

/* Likewise of a kernel of the CPU that divided an integer by 0: the first element that makes a
 * divisor 0. Adds nothing where there is none. Takes 1 s at most. */
void ag_division_explain(ag_text *t, const ag_record *r, uint64_t readable);

#endif
