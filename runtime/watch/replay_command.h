/* replay_command.h - the command that replays a capsule of this process: which program is run, with
 * what. Inside the library only. */
#ifndef AOTIGEN_REPLAY_COMMAND_H
#define AOTIGEN_REPLAY_COMMAND_H

typedef struct ag_replay_command {
  char *program; /* its file, without links; NULL: none was found */
  char **arguments, **environment;
  char *capsule, *torch, *python; /* that stand in these two */
} ag_replay_command;

/* The program of AOTIGEN_PROGRAM; else the one by which the package was watched; else of PATH.
 * NULL, or why it is not run: another user must not choose what is. */
const char *ag_replay_command_make(ag_replay_command *c, const char *capsule);
void ag_replay_command_free(ag_replay_command *c);

#endif
