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
  size_t offset; /* its "#", also spelled "%:" or "??=" */
  size_t name;   /* "include", "pragma"; name_n may be 0 */
  size_t name_n;
  size_t rest;   /* what follows the name, past blanks and spliced lines */
  bool includes; /* its name is include, include_next, import or embed */
  char quote;    /* '"' or '<' where `rest` is on one of them, else 0 */
  bool closed;   /* the closing quote stands in the same line */
  size_t path;   /* what stands between the quotes; where it is not closed, to the end of line */
  size_t path_n;
} directive;

/* The caller sets text and n, and all else to 0. */
typedef struct includes_scan {
  const char *text;
  size_t n;
  size_t offset;                 /* the text is read up to here */
  size_t line_end, quote, angle; /* the next newline, '"' and '>', once asked for */
  bool in_line;                  /* the line has more than blanks before `at` */
  size_t paths_end;              /* the end of the last path of includes_next_path() */
} includes_scan;

/* The next directive: a "#" before which its line holds only blanks, bytes that are not ASCII, or a
 * comment's end. False at the end of the text. */
bool includes_next(includes_scan *s, directive *d);

/* True where the directive has this name ("define"). */
bool includes_is_named(const includes_scan *s, const directive *d, const char *name);

/* The next #include of a path, at `path` of the directive. Paths do not overlap. A text is read
 * with this alone or with includes_next() alone. */
bool includes_next_path(includes_scan *s, directive *d);

/* True where the text includes this path. */
bool includes_text_has(const char *text, size_t n, const char *path);

/* AOTInductor's wrappers include about 20 files. */
enum { INCLUDES_MAX = 10000 };

/* Paths without their quotes. */
typedef strings includes;

/* Appends the path of each #include, each path once, in the order of the text. False where there
 * are more than INCLUDES_MAX. */
bool includes_read(includes *list, const char *text, size_t n, arena *a);

/* True where one of them is this path or, where `path` ends in '/', under it. */
bool includes_has(const includes *list, const char *path);

/* True where the text needs Python's headers and libtorch_python. */
bool includes_python(const includes *list);

#endif
