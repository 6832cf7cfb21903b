/* pch_cache.h - the directory of precompiled headers, $XDG_CACHE_HOME/aotigen.
 *
 * Holds those of libclang (clang_pch.h) and of the compiler (gcc_pch.h). A file's name is a hash of
 * all that its content depends on. A file is there whole or not at all, and may be deleted at any
 * time. A cache that cannot be written is not an error: nothing is kept then.
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

/* Moves the file `made` to `path` in the cache. False where that fails; `made` may be gone then. */
bool pch_cache_keep(const options *o, const char *made, const char *path, arena *a);

/* An #include line for each header of torch that a wrapper includes before its first definition and
 * its first macro: these can be precompiled. The caller frees the text. */
strbuf pch_cache_headers(const char *text, size_t n);

#endif
