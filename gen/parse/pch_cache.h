/* pch_cache.h - the directory of precompiled headers, $XDG_CACHE_HOME/aotigen.
 *
 * Holds those of libclang (clang_pch.h) and of the compiler (gcc_pch.h). A file's name is a hash of
 * all that its content depends on. A file is there whole or not at all, and may be deleted at any
 * time. A cache that cannot be written is not an error: nothing is kept then. Directory and files
 * are used where they belong to the user alone, and files where they are what was put there.
 */
#ifndef GEN_PCH_CACHE_H
#define GEN_PCH_CACHE_H

#include "base/options.h"
#include <stdint.h>

/* The key of nothing. */
#define PCH_CACHE_KEY ((uint64_t)14695981039346656037u)

/* The key of what `key` stands for, followed by `s` (FNV-1a). */
uint64_t pch_cache_key(uint64_t key, const char *s);

/* "CACHE/KEY" with `suffix`, or NULL where the options ask for no cache. */
const char *pch_cache_path(const options *o, uint64_t key, const char *suffix, arena *a);

/* False, with a warning, where another user owns this directory. Takes from others the right to
 * enter it. */
bool pch_cache_is_own(const char *dir, diags *d);

/* Waits until no other process keeps files in the cache. The descriptor to be closed when that is
 * done, or -1 where there is no cache. */
int pch_cache_lock(const options *o);

/* Moves the file `made` to `path` in the cache. False where that fails; `made` may be gone then. */
bool pch_cache_keep(const options *o, const char *made, const char *path, arena *a);

/* The same for a file that is checked by pch_cache_has(): its checksum is kept beside it. */
bool pch_cache_keep_checked(const options *o, const char *made, const char *path, arena *a);
bool pch_cache_has(const char *path, arena *a);

/* A checksum of the content, against what was cut short or overwritten. */
uint64_t pch_cache_sum(const char *at, size_t n);

/* That of a file. False where it is missing, empty, or not a file of the user's that no other may
 * write to. */
bool pch_cache_sum_file(const char *path, uint64_t *sum);

/* The same for a file that was just made, to be kept: takes from others the right to write to it.
 */
bool pch_cache_sum_made(const char *path, uint64_t *sum);

/* Reads such a file of at most `max` bytes. The caller frees the text. */
bool pch_cache_read(const char *path, size_t max, strbuf *out);

/* An #include line for each header of torch that a wrapper includes before its first definition and
 * its first macro: these can be precompiled. The caller frees the text. */
strbuf pch_cache_headers(const char *text, size_t n);

#endif
