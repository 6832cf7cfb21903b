/* explain_crash.h - explains why a launch ended the process: by an index assert, since an exception
 * within an OpenMP region reaches no handler, or by a division of integers by 0. Inside the library
 * only. */
#ifndef AOTIGEN_EXPLAIN_CRASH_H
#define AOTIGEN_EXPLAIN_CRASH_H

#include "state/in_flight.h"

/* In the handler of SIGABRT or SIGFPE, after its line: writes the explanation. A signal handler
 * must not allocate, so a child of the process computes and writes it. The child is killed after
 * 1.5 s, and its explanation is lost then. */
void ag_explain_crash(const aotigen_run *run, const ag_crash *c);

#endif
