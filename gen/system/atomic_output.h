/* atomic_output.h - a result file that exists as a whole or not at all.
 *
 * It is written to a temporary file next to the target, and then renamed. After an error or a
 * signal (cleanup.h) nothing of it remains.
 */
#ifndef GEN_ATOMIC_OUTPUT_H
#define GEN_ATOMIC_OUTPUT_H

#include "base/diag.h"
#include <limits.h>
#include <sys/types.h>

/* True if `target` can be written, by its kind and permissions. Refuses `input` itself (the same
 * file by any name), a directory, and a name in a directory that cannot be written. */
bool atomic_output_check(const char *target, const char *input, diags *d);

/* Refuses a target that exists and is not a regular file. */
bool atomic_output_check_regular(const char *target, diags *d);

/* Writes n bytes. "-" is standard output; a device or a pipe is written in place. */
bool atomic_output_write(const char *target, const char *at, size_t n, diags *d);

/* Moves a finished file to `target`, also to another file system. False with errno. */
bool atomic_output_move(const char *from, const char *target, diags *d);

/* A result too large for memory, written through `stream`, which can also seek and read. One at a
 * time. */
typedef struct atomic_output {
  const char *target;
  FILE *stream;
  mode_t mode;
  char real[PATH_MAX]; /* `target` without symbolic links */
} atomic_output;

bool atomic_output_open(atomic_output *f, const char *target, diags *d);

/* With `ok` renames the file to its target, without fsync(); otherwise removes it. */
bool atomic_output_close(atomic_output *f, bool ok, diags *d);

#endif
