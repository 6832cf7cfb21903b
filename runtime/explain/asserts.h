/* asserts.h - explains why an assert of a kernel failed. Inside the library only. */
#ifndef AOTIGEN_EXPLAIN_ASSERTS_H
#define AOTIGEN_EXPLAIN_ASSERTS_H

#include "state/launch_record.h"

/* Adds to the report of a launch that threw, with an exception of the text `what`, from which
 * element the index was loaded that an assert of the kernel refused, what the bound comes from, and
 * which launch wrote the index. Adds nothing where `what` is the text of no assert; NULL: whether
 * one failed is not known, and it may be any. Bit i of `readable`: the elements of argument i are
 * still there; they are as the launch left them. Takes 0.2 s at most for each of sixteen asserts.
 * False where it is not sure which element it was. */
bool ag_assert_explain(ag_text *t, const ag_record *record, uint64_t readable, const char *what);

#endif
