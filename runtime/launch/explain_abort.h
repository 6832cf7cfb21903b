/* explain_abort.h - why a launch ended the process, where an index assert may be the cause: within
 * an OpenMP region what a kernel throws reaches no handler. Inside the library only. */
#ifndef AOTIGEN_EXPLAIN_ABORT_H
#define AOTIGEN_EXPLAIN_ABORT_H

/* From then on the line of a SIGABRT is followed by the explanation. A signal handler must not
 * allocate: a child of the process computes and writes it, and has 1.5 s to do so. */
void ag_explain_abort_install(void);

#endif
