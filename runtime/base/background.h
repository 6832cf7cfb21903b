/* background.h - another program in a process of its own, of low priority, while this one goes on.
 * Inside the library only.
 *
 * It gets none of the host's descriptors, signal handlers and masks. It is sent SIGTERM when the
 * thread that started it ends, and so when the process does. Where memory runs out it is the
 * first to go. */
#ifndef AOTIGEN_BACKGROUND_H
#define AOTIGEN_BACKGROUND_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct ag_background {
  bool keeps_priority; /* set before it is started: the host waits for it */
  pid_t process;       /* 0: none; the leader of a process group */
  int status;          /* of waitpid(); -1 if the host has waited for it, too */
} ag_background;

/* Starts it; what it prints goes to the descriptor `out`. NULL, or why it does not run, in words
 * that are static or strerror()'s. */
const char *ag_background_start(ag_background *b, const char *program, char *const *arguments,
                                char *const *environment, int out);
/* False once it has ended. */
bool ag_background_runs(ag_background *b);
/* Sends a signal to it and all that it has started. */
void ag_background_signal(const ag_background *b, int signal);

#endif
