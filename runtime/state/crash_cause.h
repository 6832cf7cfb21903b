/* crash_cause.h - what a signal itself tells: the address of a fault, laid to an argument of the
 * launch or to the stack; what abort() was called for; who sent it. Inside the library only, and
 * for a signal handler.
 */
#ifndef AOTIGEN_CRASH_CAUSE_H
#define AOTIGEN_CRASH_CAUSE_H

#include "state/args_snapshot.h"
#include "state/in_flight.h"

/* Not in a handler, once: finds where the C library keeps its last words. */
void ag_crash_cause_prepare(void);
/* Not in a handler: between which addresses the stack of this thread lies. Asks the system once a
 * thread. */
void ag_crash_cause_find_stack(uintptr_t bounds[2]);

/* The process that sent the signal, or 0: this one did, or the system. */
int ag_crash_cause_sender(const ag_crash *c);

/* args: of the launch that was in flight, or NULL. stack: of the thread that got the signal, or
 * NULL where it is not known. */
void ag_crash_cause_add(ag_raw_text *t, const ag_crash *c, const ag_args_snapshot *args,
                        const uintptr_t stack[2]);

#endif
