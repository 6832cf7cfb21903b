/* explain_crash.h - why a launch ended the process, where an index assert may be the cause, since
 * what a kernel throws within an OpenMP region reaches no handler, or a division of integers by 0.
 * Inside the library only. */
#ifndef AOTIGEN_EXPLAIN_CRASH_H
#define AOTIGEN_EXPLAIN_CRASH_H

/* From then on the line of a SIGABRT or SIGFPE is followed by the explanation. A signal handler
 * must not allocate: a child of the process computes and writes it, and has 1.5 s to do so. */
void ag_explain_crash_install(void);

#endif
