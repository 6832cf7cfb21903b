/* cleanup.h - what must be gone when this process ends, by exit or by a signal: running children,
 * one temporary file, one private directory.
 *
 * There is one register for the process, of fixed size, so that a signal handler can read it. After
 * cleanup_catch_signals() a keeper (keeper.h) does the same where SIGKILL ends this process.
 */
#ifndef GEN_CLEANUP_H
#define GEN_CLEANUP_H

#include "base/diag.h"
#include <signal.h>
#include <sys/types.h>

/* The most children that can be registered. */
enum { CLEANUP_CHILDREN = 64 };

/* Installs handlers for SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT and all other signals that end a
 * process by default without being a crash. Each runs cleanup_run() and lets the process die of
 * that signal. A signal that is ignored at the time of the call stays ignored. Call it once, first
 * in main(). */
void cleanup_catch_signals(void);

/* Call it in a child that is to execute the user's command: SIGCHLD and SIGXFSZ become what they
 * were when the process began. Async-signal-safe. */
void cleanup_give_signals_back(void);

/* Kills and reaps the children, then removes the temporary file and the private directory.
 * Async-signal-safe; also runs at exit. Does nothing in a forked child. */
void cleanup_run(void);

/* Blocks the signals above and unblocks them again, for the steps between making something and
 * registering it. */
void cleanup_block_signals(sigset_t *before);
void cleanup_restore_signals(const sigset_t *before);

/* Makes a temporary file from `name` as mkostemp() does, and registers it. Its descriptor, or -1
 * with errno. One at a time. */
int cleanup_make_file(char *name);

/* Renames the registered file to `target`, or unlinks it if `target` is NULL or the rename fails.
 * Either way it is no longer registered. False, with errno, on failure. */
bool cleanup_release_file(const char *target);

/* The private directory for temporary files: made at the first call, with mode 0700. NULL if it
 * cannot be made, with the reason in `d`. */
const char *cleanup_private_dir(diags *d);

/* Makes a directory in it. False with an error in `d`. */
bool cleanup_make_dir(const char *dir, diags *d);

/* Sets where the private directory is made; "/tmp" by default. `dir` is copied. */
void cleanup_use_tmpdir(const char *dir);

/* Registers a child by its process group, which is killed with SIGKILL. At most CLEANUP_CHILDREN:
 * false if the register is full. Block the signals from fork() until this returns. */
bool cleanup_add_child(pid_t group);
void cleanup_remove_child(pid_t group);

/* The user's command, which goes on if this process is killed: the private directory then stays
 * until it ends, too. 0: it has ended. */
void cleanup_note_program(pid_t program);

#endif
