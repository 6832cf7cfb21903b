/* asserts.h - explains why an assert of a kernel failed. Inside the library only. */
#ifndef AOTIGEN_EXPLAIN_ASSERTS_H
#define AOTIGEN_EXPLAIN_ASSERTS_H

#include "state/launch_record.h"

/* Explains an assert of the kernel that failed. `what`: the text of the exception that the launch
 * threw; NULL if it is not known whether an assert failed. Adds to the launch's report the element
 * from which the refused index was loaded, where the bound comes from, and which launch wrote the
 * index. Adds nothing if `what` is the text of no assert. Bit i of `readable`: the elements of
 * argument i still exist; they are as the launch left them. Does at most AG_WORK_MOST for each of
 * sixteen asserts. False if it is not certain which element it was. */
bool ag_assert_explain(ag_text *t, const ag_record *record, uint64_t readable, const char *what);

#endif
