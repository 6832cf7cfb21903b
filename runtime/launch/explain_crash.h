/* explain_crash.h - why a launch ended the process: by an index assert, since what a kernel throws
 * within an OpenMP region reaches no handler, or by a division of integers by 0. Inside the library
 * only. */
#ifndef AOTIGEN_EXPLAIN_CRASH_H
#define AOTIGEN_EXPLAIN_CRASH_H

/* From then on the line of a SIGABRT or SIGFPE is followed by the explanation. A signal handler
 * must not allocate: a child of the process computes and writes it. It is ended after 1.5 s, and
 * what it was to say is lost then. */
void ag_explain_crash_install(void);

#endif
