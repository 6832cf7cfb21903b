/* keeper.h - a process that outlives this one for a moment, where SIGKILL, which no handler sees,
 * ends this one: it kills what is left at work, and removes what was temporary.
 */
#ifndef GEN_KEEPER_H
#define GEN_KEEPER_H

#include <sys/types.h>

/* Starts it, in a session of its own and without a descriptor. Once this process has ended it calls
 * clean_up(), and ends. Without that it is killed by keeper_stop(). 0 if it cannot be started. */
pid_t keeper_start(void (*clean_up)(void));

/* Kills and reaps it. Async-signal-safe. */
void keeper_stop(pid_t keeper);

/* For clean_up(): kills a group of processes, and waits until it is gone, for at most two seconds:
 * where nobody reaps them, they stay as zombies. */
void keeper_end_group(pid_t group);

/* For clean_up(): waits until a process has ended. */
void keeper_await(pid_t process);

#endif
