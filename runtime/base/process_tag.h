/* process_tag.h - the mark of this process in the first line of what the library writes to stderr,
 * where several processes may share it: "[rank 3] " where a launcher gave a rank, "[pid 71] " in a
 * child that has its parent's program and its parent's stderr, or in any process of an
 * `aotigen run` but its command's own, else "".
 */
#ifndef AOTIGEN_PROCESS_TAG_H
#define AOTIGEN_PROCESS_TAG_H

#include "base/raw_text.h"

/* Sets the rank; NULL, or anything but a number of at most nine digits: none. Not to be called by
 * two threads at once. */
void ag_process_tag_set_rank(const char *rank);

/* The rank; -1 if there is none. */
long ag_process_tag_rank(void);

/* Sets the process of the `aotigen run` that this one belongs to; NULL, or anything but a number:
 * none. Not to be called by two threads at once. */
void ag_process_tag_set_run(const char *process);

/* Adds the mark. A signal handler may call. */
void ag_process_tag_add(ag_raw_text *t);

#endif
