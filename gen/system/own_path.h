/* own_path.h - paths that another user may have led elsewhere: in a directory that users share, a
 * link of one of them would choose which file another one writes. The kernel refuses that only with
 * fs.protected_symlinks, and only in directories such as /tmp.
 *
 * Trusted are the user, root, and who owns "/", which in a user namespace stands for root. */
#ifndef GEN_OWN_PATH_H
#define GEN_OWN_PATH_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

bool own_path_trusts(uid_t owner);

/* Follows the links of `path` that belong to who is trusted: `real` is the path without them. What
 * does not exist at its end is taken over. False with errno; EPERM: `odd` is a link of another
 * user. Both have room for PATH_MAX bytes. */
bool own_path_follow(const char *path, char *real, char *odd);

/* True if nobody who is not trusted can put another directory in the place of `dir`, or of one
 * above it; it need not exist. Else `odd` is the first one that another user owns, or that every
 * user may rename files in, or a link as above. True, too, of what can be no directory. */
bool own_path_is_fixed(const char *dir, char *odd);

/* True if other users may make files in this directory. */
bool own_path_is_shared(const char *dir);

#endif
