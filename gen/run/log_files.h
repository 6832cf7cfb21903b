/* log_files.h - the files that AOTIGEN_LOG stands for, and what a run adds to them.
 *
 * The user's log may be there already, and its name may have the process's number or rank in it:
 * then each file of such a name counts.
 */
#ifndef GEN_LOG_FILES_H
#define GEN_LOG_FILES_H

#include "run/event_log.h"
#include <sys/types.h>

typedef struct log_file {
  dev_t device;
  ino_t inode;
  off_t size;
} log_file;

typedef struct log_files {
  const char *pattern; /* for glob() */
  struct {
    log_file *at;
    size_t n, cap;
  } before; /* the size of each before the run */
} log_files;

/* Notes the files before the run. `name` is the user's variable where `of_user`, else a path. */
void log_files_note(log_files *f, const char *name, bool of_user, arena *a);

/* Reads what the run has added, after it. */
void log_files_read(const log_files *f, event_log *log);

#endif
