/* left_files.h - the file that a capsule is written to before it has its name, and such files that
 * killed processes have left. Inside the library only.
 *
 * Its writer holds an flock() on it, so that others see that it is in use. */
#ifndef AOTIGEN_LEFT_FILES_H
#define AOTIGEN_LEFT_FILES_H

#include "base/text.h"

/* Sets `to` to the file's name, of this process, library and call alone. capsule: the absolute name
 * of AOTIGEN_CAPSULE. */
void ag_left_files_name(ag_text *to, const char *capsule);

/* Marks it as in use, until the descriptor is closed. */
void ag_left_files_hold(int fd);

/* Removes what other processes, an earlier one of this number too, have left of such files beside
 * the capsule: regular files of this user, of just this form, that were not written to for a minute
 * and that no process holds. Only the first call of a process does. */
void ag_left_files_remove(const char *capsule);

#endif
