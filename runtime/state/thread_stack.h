/* thread_stack.h - reads the stack of another thread of the process, and what that thread does.
 * Inside the library only.
 *
 * The thread is interrupted by a real-time signal that has no handler and that it does not block;
 * ours stores the addresses, and is removed at once. System calls that can be restarted are. One
 * thread at a time may ask. */
#ifndef AOTIGEN_THREAD_STACK_H
#define AOTIGEN_THREAD_STACK_H

enum { AG_STACK_MOST = 48 };

/* Call it once, before the first read: has the loader load what the handler calls. */
void ag_thread_stack_prepare(void);

/* Returns the number of frames, the innermost first; 0: none, and *why is the reason in words.
 * Waits for at most a second. */
int ag_thread_stack_read(int thread, void *frames[AG_STACK_MOST], const char **why);

/* "runs", "sleeps", or NULL if the system does not say. */
const char *ag_thread_stack_doing(int thread);

#endif
