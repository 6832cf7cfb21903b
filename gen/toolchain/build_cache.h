/* build_cache.h - what a compiler made of torch's headers, kept with all that it was made of.
 *
 * Kept under a key of its recipe (compiler, flags, source text), beside the recipe itself and the
 * size and time of each file that the compiler read. A product is used where the recipe is the same
 * byte for byte and no file has changed: what one package leaves serves only the same compilation.
 */
#ifndef GEN_TOOLCHAIN_BUILD_CACHE_H
#define GEN_TOOLCHAIN_BUILD_CACHE_H

#include "toolchain/compile.h"
#include <stdint.h>

typedef struct build_cache {
  const options *o;
  arena *a;
  uint64_t key;
  const char *recipe;
  const char *stamps; /* of the files that the kept products were made of; NULL: none are kept */
} build_cache;

/* Looks for what was kept of this compilation. `kind` tells products of one source text apart.
 * Nothing is kept where the options want no cache. */
void build_cache_open(build_cache *c, const char *kind, const compiler *x, const strings *flags,
                      const char *source, const options *o, arena *a);

/* Where the kept product with this suffix is; NULL where none is kept, or it is not what was put
 * there. */
const char *build_cache_path(const build_cache *c, const char *suffix);

/* Reads a product: false where it is not there or is broken. The bytes are freed by the caller. */
bool build_cache_read(const build_cache *c, const char *suffix, strbuf *out);

/* A file that was made, and the suffix under which it is kept. */
typedef struct product {
  const char *made, *suffix;
} product;

/* Moves the products into the cache, in place of what was kept before. `depend_file` lists the
 * files that the compiler read: a product is valid as long as they stay the same, `own` excepted.
 * Where the products cannot be moved nothing is kept, and there is no message. `dir` is private. */
void build_cache_keep(build_cache *c, const product *list, size_t n, const char *depend_file,
                      const char *own, const char *dir);

/* Takes what is kept for broken: it is made anew the next time. */
void build_cache_forget(build_cache *c);

#endif
