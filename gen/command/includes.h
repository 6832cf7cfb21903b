/* includes.h - the preprocessor's directives in a text, #include above all.
 *
 * Reads text, not files, and does not know comments or strings: a directive is reported wherever a
 * compiler could see one, also in a comment or a raw string. Linear in the length of the text.
 */
#ifndef GEN_INCLUDES_H
#define GEN_INCLUDES_H

#include "base/arena.h"

/* Offsets are bytes into the text. */
typedef struct directive {
  size_t at;   /* its "#", also spelled "%:" or "??=" */
  size_t name; /* "include", "pragma"; name_n may be 0 */
  size_t name_n;
  size_t rest;   /* what follows the name, past blanks and spliced lines */
  bool includes; /* its name is include, include_next, import or embed */
  char quote;    /* '"' or '<' where `rest` is on one of them, else 0 */
  bool closed;   /* the closing quote stands in the same line */
  size_t path;   /* what stands between the quotes; where it is not closed, to the end of line */
  size_t path_n;
} directive;

/* The caller sets text and n; the rest begins as 0. */
typedef struct includes_scan {
  const char *text;
  size_t n;
  size_t at, line_end, quote,
      angle;    /* the scanner's own: the last three are the next '\n' '"' '>' */
  bool in_line; /* the line has more than blanks before `at` */
} includes_scan;

/* The next directive: a "#" before which its line holds only blanks, bytes that are not ASCII, or a
 * comment's end. False at the end of the text. */
bool includes_next(includes_scan *s, directive *d);

/* True where the directive has this name ("define"). */
bool includes_is_named(const includes_scan *s, const directive *d, const char *name);

typedef struct include {
  const char *path; /* without its quotes */
  size_t at;        /* the byte offset of the path in the text */
} include;

typedef struct includes {
  include *at;
  size_t n, cap;
} includes;

/* Appends the path of each #include, in the order of the text. Paths do not overlap. */
void includes_read(includes *list, const char *text, size_t n, arena *a);

/* True where one of them is this path or, where `path` ends in '/', under it. */
bool includes_has(const includes *list, const char *path);

/* True where the text needs Python's headers and libtorch_python. */
bool includes_python(const includes *list);

#endif
