/* explain_crash.h - why a launch ended the process: by an index assert, since what a kernel throws
 * within an OpenMP region reaches no handler, or by a division of integers by 0. Inside the library
 * only. */
#ifndef AOTIGEN_EXPLAIN_CRASH_H
#define AOTIGEN_EXPLAIN_CRASH_H

#include "state/in_flight.h"

/* In the handler of the signal, behind its line: of a SIGABRT or SIGFPE writes the explanation. A
 * signal handler must not allocate: a child of the process computes and writes it. It is ended
 * after 1.5 s, and what it was to say is lost then. */
void ag_explain_crash(const aotigen_run *run, const ag_crash *c);

#endif
