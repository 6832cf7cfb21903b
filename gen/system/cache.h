/* cache.h - the directory of what is kept from one run to the next, $XDG_CACHE_HOME/aotigen: the
 * parser's precompiled headers (clang_pch.h), what a compiler made (build_cache.h), and debug
 * packages (debug_package.h).
 *
 * A file's name is a hash of all that its content depends on. A file exists as a whole or not at
 * all, and may be deleted at any time. A directory that cannot be written to is not an error:
 * nothing is kept then. The directory and its files are used only if they belong to the user alone,
 * and a file only if it holds what was put there. If the options ask for no cache (options.cache is
 * NULL), only cache_key(), cache_path() and the sums of contents may be called.
 */
#ifndef GEN_CACHE_H
#define GEN_CACHE_H

#include "base/options.h"
#include <stdint.h>

/* ---- names */

/* The key of nothing. */
#define CACHE_KEY ((uint64_t)14695981039346656037u)

/* The key of what `key` stands for, followed by `s` (FNV-1a). */
uint64_t cache_key(uint64_t key, const char *s);

/* "CACHE/KEY" with `suffix`, in the arena; NULL if the options ask for no cache. */
const char *cache_path(const options *o, uint64_t key, const char *suffix, arena *a);

/* ---- the directory */

/* False, with a warning, if another user owns this directory, or could put another in its place
 * (own_path.h). Takes from others the right to enter it. */
bool cache_is_own(const char *dir, diags *d);

/* Waits until no other process keeps files in the cache, and makes the directory. Close the
 * descriptor when that is done. -1 if it cannot be made. */
int cache_lock(const options *o);

/* ---- files */

/* Moves the file `made` to `path` in the cache. False, with errno, if that fails; `made` may be
 * gone then. */
bool cache_keep(const options *o, const char *made, const char *path, arena *a);

/* Keeps the checksum of `made` for the file `path`, which need not exist yet. False with errno. */
bool cache_add_sum(const options *o, const char *made, const char *path, arena *a);

/* Keeps the file and its checksum. */
bool cache_keep_with_sum(const options *o, const char *made, const char *path, arena *a);

/* True if cache_keep_with_sum() put a file there, which is unchanged. */
bool cache_has_with_sum(const char *path, arena *a);

/* Reads a file of at most `max` bytes. False if it is missing, or is not a regular file of the
 * user's that nobody else may write to. The caller frees the text. */
bool cache_read(const char *path, size_t max, strbuf *out);

/* ---- checksums of a content, to find a file that was cut short or overwritten */

uint64_t cache_sum(const char *at, size_t n);

/* The checksum of a file; false as with cache_read(), and if it is empty. */
bool cache_sum_file(const char *path, uint64_t *sum);

/* The same for a file that was just made, to be kept: takes from others the right to write to it.
 */
bool cache_sum_made(const char *path, uint64_t *sum);

#endif
