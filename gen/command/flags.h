/* flags.h - which flags of a recorded command are taken over: one table of kinds and value
 * patterns.
 *
 * Knows what a flag may do; not where anything is, and reads no file. Whatever can run code in the
 * compiler, or read or write files other than the source, its headers and its object, is refused.
 */
#ifndef GEN_FLAGS_H
#define GEN_FLAGS_H

#include "base/arena.h"

enum flag_phase { FLAG_COMPILE, FLAG_LINK };

enum flag_action {
  FLAG_KEEP,    /* `text`, as it is to stand in the command */
  FLAG_SKIP,    /* a role (-c, -o, an input): ours is used instead */
  FLAG_DROP,    /* harmless to lose: `text` says what */
  FLAG_UNKNOWN, /* the same, and worth a warning */
  FLAG_REFUSE,  /* `text` says why */
  FLAG_INCLUDE, /* an include directory: `text`; `system` where it came with -isystem */
  FLAG_LIBRARY, /* a library directory: `text` */
  FLAG_RPATH    /* a directory for the loader: `text` */
};

typedef struct flag {
  enum flag_action action;
  const char *text;
  const char *system; /* "-I" or "-isystem" or the like */
  size_t words;       /* how many words it took: 1 or 2 */
} flag;

/* The flag at `word`; `next` is the word after it, or NULL. */
flag flag_read(const char *word, const char *next, enum flag_phase phase, arena *a);

/* Is `word` the name of a compiler that is known: *clang says which. */
bool flag_compiler(const char *word, bool *clang);

/* Is `path` the name that torch gives to a file of its cache: a c, 51 characters of base 32, and
 * `suffix`. */
bool flag_cache_file(const char *path, const char *suffix);

#endif
