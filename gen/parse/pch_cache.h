/* cache.h - where precompiled headers are kept: $XDG_CACHE_HOME/aotigen, by keys that hold all they
 * depend on.
 *
 * Two kinds are kept: libclang's (pch.h), with which a wrapper is parsed, and the compiler's
 * (headers.h), with which a package's is compiled. A file in it is whole or not there (it is moved
 * in), and may be deleted at any time; a cache that cannot be kept is no fault of the input and is
 * said to nobody.
 */
#ifndef GEN_CACHE_H
#define GEN_CACHE_H

#include "base/options.h"
#include <stdint.h>

#define CACHE_KEY ((uint64_t)14695981039346656037u)

/* The key of what `key` stood for and `s` after it (FNV-1a). */
uint64_t cache_key(uint64_t key, const char *s);

/* "CACHE/KEY" with `suffix`, or NULL where no cache is wanted. */
const char *cache_path(const options *o, uint64_t key, const char *suffix, arena *a);

/* Moves `made` there. False where that cannot be; `made` may be gone then too. */
bool cache_keep(const options *o, const char *made, const char *path, arena *a);

/* The lines of a wrapper's text that include what is torch's, up to its first own definition or
 * macro. Freed by the caller. */
strbuf cache_headers(const char *text, size_t n);

#endif
