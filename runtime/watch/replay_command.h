/* replay_command.h - the commands of `aotigen` that this process has run for it: which program is
 * run, with what. Inside the library only. */
#ifndef AOTIGEN_REPLAY_COMMAND_H
#define AOTIGEN_REPLAY_COMMAND_H

typedef struct ag_replay_command {
  char *program; /* its file, without links; NULL: none was found */
  char **arguments, **environment;
  char *python; /* that stands in it */
} ag_replay_command;

enum { AG_COMMAND_MOST = 8 }; /* arguments */

/* Replays the capsule, by the program of AOTIGEN_PROGRAM; else the one by which the package was
 * watched; else of PATH. NULL, or why it is not run: another user must not choose what is. */
const char *ag_replay_command_make(ag_replay_command *c, const char *capsule);

/* The same of the command with these arguments, which end with NULL; the torch of this process is
 * put behind the first one. */
const char *ag_command_make(ag_replay_command *c, const char *const *arguments);

void ag_replay_command_free(ag_replay_command *c);

#endif
