/* own_dir.h - directories that a stranger's text names, and that the user may be taken to have
 * chosen: they belong to the system or the user, with all directories and links on the way.
 */
#ifndef GEN_OWN_DIR_H
#define GEN_OWN_DIR_H

#include "base/arena.h"

/* `dir` with its links resolved, in the arena. NULL where it is relative, climbs by "..", does not
 * exist, or another user owns it or what leads to it, or where all users may change what leads to
 * it. What a group may change counts as the owner's: many systems give each user one. */
const char *own_dir_resolve(const char *dir, arena *a);

/* True where `dir`, its links resolved, is `outer` or below it; false where it does not exist. */
bool own_dir_is_within(const char *dir, const char *outer);

#endif
