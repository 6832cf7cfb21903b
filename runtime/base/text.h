/* text.h - a string that grows. A zeroed ag_text is an empty one.
 *
 * Nothing here fails: where memory runs out, what was added last is missing and the rest stays.
 * Owned by whoever declares it, given back with ag_text_free(); not for use by two threads at once.
 */
#ifndef AOTIGEN_TEXT_H
#define AOTIGEN_TEXT_H

#include <stddef.h>
#include <stdint.h>

typedef struct ag_text {
  char *data; /* NULL, or ends with NUL */
  size_t length, capacity;
} ag_text;

void ag_text_clear(ag_text *t);
void ag_text_free(ag_text *t);
const char *ag_text_string(const ag_text *t); /* never NULL; valid until the text is changed */

void ag_add(ag_text *t, const char *s);
void ag_add_bytes(ag_text *t, const void *bytes, size_t n);
void ag_addf(ag_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "  label         text": a line of a report; the texts of all its lines begin in one column. */
void ag_add_line(ag_text *t, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void ag_add_int(ag_text *t, int64_t x);

/* Numbers as C++ streams write them in the classic locale, whatever this process's locale is. */
void ag_add_g(ag_text *t, double x);        /* six digits: 1e+30, -nan */
void ag_add_shortest(ag_text *t, double x); /* as many digits as tell it apart: 836.0028076171875 */
void ag_add_double(ag_text *t, double x, const char *format, int width); /* right-aligned */

/* "[6, 6]"; at most 64 */
void ag_add_list(ag_text *t, const int64_t *list, int64_t n, const char *open,
                 const char *separator, const char *close);

/* s between double quotes, escaped for JSON; bytes that are no UTF-8 become U+FFFD. NULL becomes
 * null. */
void ag_add_json(ag_text *t, const char *s);

#endif
