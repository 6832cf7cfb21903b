/* torch_links.h - a torch whose files are links to the same files elsewhere, as uv, Bazel and cp
 * -rs install it.
 */
#ifndef GEN_TORCH_LINKS_H
#define GEN_TORCH_LINKS_H

#include "base/arena.h"

/* Appends the directories that hold what the links of `torch` lead to, where they mirror it:
 * "X/include", where "include/c.h" leads to "X/include/c.h". Of torch, its headers and libraries;
 * with `cuda`, the nvidia packages beside it. Directories of other users, and links that lead
 * elsewhere, are left out. */
void torch_links_find(strings *dirs, const char *torch, bool cuda, arena *a);

/* True where a header of this torch is such a link. */
bool torch_links_has(const char *torch, arena *a);

#endif
