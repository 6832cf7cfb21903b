/* crash_cause.h - what a signal itself tells: the address of a fault, laid to an argument of the
 * launch or to the stack; what abort() was called for; who sent it. Inside the library only, and
 * for a signal handler.
 */
#ifndef AOTIGEN_CRASH_CAUSE_H
#define AOTIGEN_CRASH_CAUSE_H

#include "state/args_snapshot.h"
#include "state/under_way.h"

/* A second explanation of the address of a SIGSEGV or SIGBUS, as of memory that has an owner: adds
 * "; ..." to the text, and is not 0 where it does. May be called in a signal handler on any thread,
 * whatever the run is doing. NULL: there is none. */
extern int (*ag_crash_explain_address)(const void *address, struct ag_raw_text *to);

/* Not in a handler, once: finds where the C library keeps its last words. */
void ag_crash_cause_prepare(void);
/* Not in a handler: between which addresses the stack of this thread lies. Asks the system once a
 * thread. */
void ag_crash_cause_find_stack(uintptr_t bounds[2]);

/* args: of the launch that was under way, or NULL. stack: of the thread that got the signal, or
 * NULL where it is not known. */
void ag_crash_cause_add(ag_raw_text *t, const ag_crash *c, const ag_args_snapshot *args,
                        const uintptr_t stack[2]);

#endif
