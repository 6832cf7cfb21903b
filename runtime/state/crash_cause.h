/* crash_cause.h - explains a signal: the address of a fault, attributed to an argument of the
 * launch or to the stack; the reason of an abort(); the sender. Inside the library only, and for a
 * signal handler. */
#ifndef AOTIGEN_CRASH_CAUSE_H
#define AOTIGEN_CRASH_CAUSE_H

#include "state/args_snapshot.h"
#include "state/in_flight.h"

/* Finds where the C library stores its last message. Not in a handler, once. */
void ag_crash_cause_prepare(void);
/* Finds the bounds of this thread's stack. Queries the system once per thread. Not in a handler. */
void ag_crash_cause_find_stack(uintptr_t bounds[2]);

/* The process that sent the signal; 0 if this one did, or the system. */
int ag_crash_cause_sender(const ag_crash *c);

/* args: those of the launch in flight, or NULL. stack: the bounds of the stack of the thread that
 * got the signal, or NULL if they are not known. */
void ag_crash_cause_add(ag_raw_text *t, const ag_crash *c, const ag_args_snapshot *args,
                        const uintptr_t stack[2]);

#endif
