/* crash_stack.h - a stack for signal handlers, for threads without one. Inside the library only. */
#ifndef AOTIGEN_CRASH_STACK_H
#define AOTIGEN_CRASH_STACK_H

/* Gives the calling thread an alternate signal stack, if it has none: a handler for the overflow of
 * its stack needs one. The thread's end frees it. Queries the system once per thread. */
void ag_crash_stack_provide(void);

#endif
