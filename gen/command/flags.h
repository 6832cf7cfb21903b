/* flags.h - which flags of a recorded command are used: one table of flags and forms of values.
 *
 * Refuses each flag that can run code in the compiler, or make it read or write files other than
 * the source, its headers and its object. Looks at text only, never at files.
 */
#ifndef GEN_FLAGS_H
#define GEN_FLAGS_H

#include "base/arena.h"

enum flag_phase { FLAG_COMPILE, FLAG_LINK };

enum flag_action {
  FLAG_KEEP,    /* used: `text` is one word of the command */
  FLAG_SKIP,    /* -c, -o, an input: ours is used instead */
  FLAG_DROP,    /* not used and not needed: `text` */
  FLAG_UNKNOWN, /* the same, with a warning */
  FLAG_REFUSE,  /* refuses the command: `text` says why */
  FLAG_INCLUDE, /* an include directory: `text`; the flag that names it is `system` */
  FLAG_LIBRARY, /* a library directory: `text` */
  FLAG_RPATH    /* a directory for the loader: `text` */
};

typedef struct flag {
  enum flag_action action;
  const char *text;
  const char *system; /* "-I", "-isystem" and so on */
  size_t words;       /* the number of words that it took: 1 or 2 */
} flag;

/* The flag at `word`; `next` is the word after it, or NULL. */
flag flags_read(const char *word, const char *next, enum flag_phase phase, arena *a);

/* True where `word` names g++ or clang++, also with a path, a prefix or a version; `clang` says
 * which. */
bool flags_is_compiler(const char *word, bool *clang);

/* True where `path` is absolute and named as torch names its cache files: a "c", a hash in base 32
 * (51 characters, but 39 to 63 are accepted), and `suffix`. */
bool flags_is_cache_file(const char *path, const char *suffix);

#endif
