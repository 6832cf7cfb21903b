/* output.h - a result file that is there whole or not at all.
 *
 * Written to a temporary file beside the target and renamed onto it; on an error, and after SIGINT,
 * SIGTERM or SIGHUP, nothing of it is left. Also keeps the register of temporary files and of
 * running children that a signal ends.
 */
#ifndef GEN_OUTPUT_H
#define GEN_OUTPUT_H

#include "base/diag.h"
#include <limits.h>
#include <signal.h>
#include <sys/types.h>

/* Installs the handlers that end our children, clean up and let the process die of the signal.
 * Once, at the start. A signal that was ignored then stays ignored. */
void output_catch_signals(void);

/* Ends children, removes the temporary file and the private directory. Async-signal-safe; runs at
 * exit too. */
void output_clean_up(void);

/* Where output_private_dir() makes its directory: /tmp unless told. The string is copied. */
void output_use_tmpdir(const char *dir);

/* Refuses `target` where it is `input` (the same file by any name), a directory, or in a directory
 * that cannot be written. */
bool output_check(const char *target, const char *input, diags *d);

/* Refuses what is there and is no regular file. */
bool output_check_regular(const char *target, diags *d);

/* Writes n bytes. "-" is standard output; a device or a pipe is written in place. */
bool output_write(const char *target, const char *at, size_t n, diags *d);

/* The same for a result too large to be held: written through `stream` (which can seek and read),
 * in a temporary file beside the target. output_close() puts it in its place where `ok`, and leaves
 * nothing otherwise; it is not waited for until it is on the disk. One such file at a time. */
typedef struct output_file {
  const char *target;
  FILE *stream;
  mode_t mode;
  char real[PATH_MAX];
} output_file;

bool output_open(output_file *f, const char *target, diags *d);
bool output_close(output_file *f, bool ok, diags *d);

/* A private directory for temporary files, made at the first call, removed with all in it at exit
 * and by a signal. NULL where none can be made: then `d` says why. */
const char *output_private_dir(diags *d);

/* Moves a finished file onto `target`, over file systems too. */
bool output_move(const char *from, const char *target, diags *d);

/* The leader of a process group that a signal is to end (SIGKILL) before anything is removed. At
 * most 64 at a time; false where the register is full. Between fork() and output_child_began()
 * signals must be held back: output_hold_signals(). */
bool output_child_began(pid_t group);
void output_child_ended(pid_t group);

/* Holds the caught signals back, and lets them in again. */
void output_hold_signals(sigset_t *before);
void output_release_signals(const sigset_t *before);

#endif
