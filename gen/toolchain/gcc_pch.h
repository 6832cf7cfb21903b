/* gcc_pch.h - torch's headers, precompiled by the compiler that compiles the wrapper.
 *
 * They are the same for every model. Making them takes longer than a small model's wrapper does:
 * they are made beside the first model that wants them and serve the next ones. Where the compiler
 * does not take them the wrapper is compiled as it is.
 */
#ifndef GEN_TOOLCHAIN_GCC_PCH_H
#define GEN_TOOLCHAIN_GCC_PCH_H

#include "toolchain/build_cache.h"

typedef struct headers {
  arena *a;
  const char *include; /* to be named by -include before all else; NULL: none */
  bool precompiled; /* what it names; else it is the plain list of them, so that the compiler sees
                       the same order of declarations, which debug information shows */
  const char *dir;  /* private */
  const char *own_dir; /* the directory of the job */
  const char *list;    /* the file that includes them */
  bool made;           /* for this model: to be kept */
  build_cache cache;
  job job;
} headers;

/* Those that models of one package have had made: each once, and no more than these. */
typedef struct headers_begun {
  uint64_t keys[4];
  size_t n;
} headers_begun;

/* What they are made for. */
typedef struct headers_request {
  compiler *compiler;
  const strings *flags; /* what the wrapper is compiled with */
  const strbuf *list;   /* lines that include them (pch_headers.h) */
  const char *dir;      /* private: where they are made */
  headers_begun *begun;
  const options *o;
} headers_request;

/* Looks for them in the cache, and starts making them where they are not there. Nothing where the
 * options want no cache. */
void headers_begin(headers *h, const headers_request *request, arena *a);

/* Waits until they are made, where that was begun: this model's wrapper is compiled with them, too.
 */
void headers_wait(headers *h);

/* Waits for them likewise, and keeps what was made. */
void headers_keep(headers *h);

/* The compiler does not take them: forgets them. */
void headers_drop(headers *h);

#endif
