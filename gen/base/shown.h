/* shown.h - texts of an input where a terminal may show them: what could control it is escaped.
 *
 * What is printable is UTF-8 without what a terminal shows nothing of, or obeys: of Unicode's
 * general categories all of "other" (Cc, Cf, Cs, Co, Cn) and "separator" (Zl, Zp, Zs) but the
 * blank, and the code points that it calls ignorable by default. All else becomes "\xNN", byte by
 * byte. The tables are libunistring's. Letters that look alike, and marks that combine, are shown
 * as they are. */
#ifndef GEN_SHOWN_H
#define GEN_SHOWN_H

#include <stdint.h>
#include "base/arena.h"
#include <cjson/cJSON.h>
#include <stdio.h>

/* The length of the printable character at `s`, which a NUL ends; 0 where there is none. */
size_t shown_length(const char *s);

/* True of UTF-8 without control characters, without what ends a line or a paragraph, and without
 * what changes the direction of writing: a name that is not always shown as it is, yet no trap. */
bool shown_is_one_line(const char *text);

/* The text on one line: also newlines ("\n") and tabs ("\t") are escaped. The same pointer where
 * all of it is printable. */
const char *shown_text(const char *text, arena *a);

/* The same of a kernel's name, cut where it is long: shared/name_cut.h. Not for JSON, nor for what
 * is looked up. */
const char *shown_name(const char *name, arena *a);

/* Adds a text to a JSON object, or null where it is NULL. */
void shown_add_json(cJSON *to, const char *key, const char *text);

/* Prints the object on one line, as valid JSON of the same meaning, and frees it; what is not UTF-8
 * becomes U+FFFD. */
void shown_print_json(cJSON *json, FILE *to);

/* A stream that writes to `to` what is written to it, escaped, but newlines and tabs as they are.
 * fclose() writes the rest, and leaves `to` open. Running out of memory exits, as in arena.h. */
FILE *shown_open(FILE *to);

/* ---- numbers of bytes as messages have them */

/* "9999 bytes", "498.1 MB": powers of ten. What is made of pages, or of red zones, is written in
 * KiB where it is described. */
const char *byte_count_format(uint64_t n, arena *a);

#endif
