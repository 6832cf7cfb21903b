/* includes.h - the #include lines of a text, as text.
 *
 * Knows the preprocessor's one line; not comments or raw strings, in which such a line may also
 * stand.
 */
#ifndef GEN_INCLUDES_H
#define GEN_INCLUDES_H

#include "base/arena.h"

typedef struct include {
  const char *path; /* without its quotes */
  size_t at;        /* the byte offset of the path in the strbuf */
} include;

typedef struct includes {
  include *at;
  size_t n, cap;
} includes;

/* Linear in n. */
void includes_read(includes *list, const char *at, size_t n, arena *a);

/* Is one of them this path, or, where `path` ends in '/', under it. */
bool includes_has(const includes *list, const char *path);

/* Does the text include what needs Python's headers, and libtorch_python. */
bool includes_python(const includes *list);

#endif
