/* build_cache.h - what a compiler made of torch's headers, kept with all that it was made of.
 *
 * Products are kept under a key of their recipe (compiler, flags, source text), with the recipe
 * itself and the size and time of each file that the compiler read. A product is used if the recipe
 * is the same byte for byte and no file has changed: a product of one package serves only the same
 * compilation.
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
  const char *stamps; /* those of the files that products were made of; NULL: none are kept */
} build_cache;

/* Looks for kept products of this compilation. `kind` separates products of one source text.
 * Nothing is kept if the options want no cache. */
void build_cache_open(build_cache *c, const char *kind, const compiler *x, const strings *flags,
                      const char *source, const options *o, arena *a);

/* The path of the kept product with this suffix. NULL if none is kept, or its content was
 * changed. */
const char *build_cache_path(const build_cache *c, const char *suffix);

/* Reads a product. False if it is missing or broken. The caller frees the bytes. */
bool build_cache_read(const build_cache *c, const char *suffix, strbuf *out);

/* A file that was made, and the suffix under which it is kept. */
typedef struct product {
  const char *made, *suffix;
} product;

/* Moves the products into the cache, in place of those kept before. `depend_file` lists the files
 * that the compiler read. A product is valid as long as they stay the same, except for `own`. If
 * the products cannot be moved, nothing is kept, and there is no message. `dir` is private. */
void build_cache_keep(build_cache *c, const product *list, size_t n, const char *depend_file,
                      const char *own, const char *dir);

/* Marks what is kept as broken: it is made anew the next time. */
void build_cache_forget(build_cache *c);

#endif
