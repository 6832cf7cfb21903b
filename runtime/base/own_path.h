/* own_path.h - files whose path another user may have led elsewhere. Inside the library only.
 *
 * In a directory that users share, a link of one of them would choose which file the host writes,
 * as root perhaps. Trusted are the host's user, root, and who owns "/", which in a user namespace
 * stands for root. A signal handler may call. */
#ifndef AOTIGEN_OWN_PATH_H
#define AOTIGEN_OWN_PATH_H

#include <stdbool.h>
#include <sys/types.h>

/* open(2) for writing. -1 with ELOOP: a part of the path is a link that is not trusted; with
 * EACCES, as by fs.protected_regular: the file, in a directory that users share, is neither the
 * host's nor that of who owns the directory. */
int ag_own_path_open(const char *path, int flags, mode_t mode);

/* False if a part of the path is a link that is not trusted. */
bool ag_own_path_is_own(const char *path);

/* Why another user may choose what is run by that name, which is absolute and has no links; NULL:
 * the file and all directories above it are of trusted users, who alone may write to them. */
const char *ag_own_path_refuse_program(const char *path);

/* The words for the error of ag_own_path_open(). */
const char *ag_own_path_error(int error);

#endif
