/* gcc_pch.h - torch's headers, precompiled by the compiler that compiles the wrapper.
 *
 * They take a third of that time and are the same for every model. What was precompiled is kept in
 * the cache with the size and time of each file that it was made of, and used again while none of
 * them changed. Without it, or where the compiler does not take it, the wrapper is compiled as it
 * is.
 */
#ifndef GEN_HEADERS_H
#define GEN_HEADERS_H

#include "build/compile.h"
#include <stdint.h>

typedef struct headers {
  const options *o;
  arena *a;
  const char *use;  /* to be named by -include before all else; NULL: none */
  const char *dir;  /* private: what was made for one model is there for the next */
  const char *list; /* the file that includes them */
  uint64_t key;
  job job;
} headers;

/* Looks for them in the cache, and starts making them where they are not there. `text` is the
 * wrapper's, `flags` are what it is compiled with. Nothing where the options want no cache. */
void headers_begin(headers *h, const compiler *x, const char *text, size_t n, const strings *flags,
                   const char *dir, const options *o, arena *a);

/* Waits until they are made, where that was begun. */
void headers_wait(headers *h);

/* They were of use: keeps what was made. */
void headers_keep(headers *h);

/* The compiler does not take them: forgets them. */
void headers_drop(headers *h);

#endif
