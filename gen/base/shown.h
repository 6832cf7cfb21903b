/* shown.h - texts of an input where a terminal may show them: what could control it is escaped.
 *
 * What is printable is UTF-8 without control characters and without characters that change the
 * direction of writing. All else becomes "\xNN". */
#ifndef GEN_SHOWN_H
#define GEN_SHOWN_H

#include "base/arena.h"
#include <stdio.h>

/* The length of the printable character at `s`, which a NUL ends; 0 where there is none. */
size_t shown_length(const char *s);

/* The text on one line: also newlines ("\n") and tabs ("\t") are escaped. The same pointer where
 * all of it is printable. */
const char *shown_text(const char *text, arena *a);

/* A JSON text on one line, as valid JSON of the same meaning; what is not UTF-8 becomes U+FFFD. */
void shown_print_json(const char *json, FILE *to);

/* A stream that writes to `to` what is written to it, escaped, but newlines and tabs as they are.
 * fclose() writes the rest, and leaves `to` open. Running out of memory exits, as in arena.h. */
FILE *shown_open(FILE *to);

#endif
