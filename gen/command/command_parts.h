/* command_parts.h - what the files of this folder share; nothing else includes it. */
#ifndef GEN_COMMAND_PARTS_H
#define GEN_COMMAND_PARTS_H

#include "command/command.h"
#include "command/includes.h"

/* ---- directories that a stranger's text names, and that the user may be taken to have
 * chosen: they belong to the system or the user, with all directories and links on the way */

/* `dir` with its links resolved, in the arena. NULL where it is relative, climbs by "..", does not
 * exist, or another user owns it or what leads to it, or where all users may change what leads to
 * it. What a group may change counts as the owner's: many systems give each user one. */
const char *own_dir_resolve(const char *dir, arena *a);

/* True where `dir`, its links resolved, is `outer` or below it; false where it does not exist. */
bool own_dir_is_within(const char *dir, const char *outer);

/* ---- a torch whose files are links to the same files elsewhere, as uv, Bazel and cp
 * -rs install it */

/* Appends the directories that hold what the links of `torch` lead to, where they mirror it:
 * "X/include", where "include/c.h" leads to "X/include/c.h". Of torch, its headers and libraries;
 * with `cuda`, the nvidia packages beside it. Directories of other users, and links that lead
 * elsewhere, are left out. */
void torch_links_find(strings *dirs, const char *torch, bool cuda, arena *a);

/* True where a header of this torch is such a link. */
bool torch_links_has(const char *torch, arena *a);

/* ---- the flags of a text that records no command, such as PyTorch's JIT emits */

/* Appends what Inductor's own builder passes for this text with the torch in use, without
 * directories, to c->compile and to c->link. */
void default_flags_compile(command *c, const char *at, size_t n, arena *a);
void default_flags_link(command *c, const includes *list, arena *a);

#endif
