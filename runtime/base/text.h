/* text.h - a string that grows. A zeroed ag_text is an empty one.
 *
 * Nothing here fails: if memory runs out, what would be added is omitted. The struct's owner frees
 * it with ag_text_free(). One thread at a time may use a text. */
#ifndef AOTIGEN_TEXT_H
#define AOTIGEN_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Of what is said of a fault, or once: where it is called, the compiler puts the call behind what
 * each launch runs through, which is to fit a cache. */
#define AG_COLD __attribute__((cold))

typedef struct ag_text {
  char *data; /* NULL, or ends with NUL */
  size_t length, capacity;
} ag_text;

void ag_text_clear(ag_text *t);
void ag_text_free(ag_text *t);
/* Never NULL; valid until the text changes. */
const char *ag_text_string(const ag_text *t);

void ag_text_add(ag_text *t, const char *s);
void ag_text_add_bytes(ag_text *t, const void *bytes, size_t n);
void ag_text_addf(ag_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)))
    AG_COLD;
/* A line of a report, "  label         text": the texts of all lines begin in the same column. */
void ag_text_add_line(ag_text *t, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4))) AG_COLD;

void ag_text_add_int(ag_text *t, int64_t x);

/* Numbers as C++ streams write them in the classic locale, independent of the process's locale.
 * g: six digits, "1e+30", "-nan". shortest: the fewest digits that read back as x,
 * "836.0028076171875". double: in a printf format of one double, right-aligned in `width`. */
void ag_text_add_g(ag_text *t, double x);
void ag_text_add_shortest(ag_text *t, double x);
void ag_text_add_double(ag_text *t, double x, const char *format, int width);

/* "[6, 6]" */
void ag_text_add_list(ag_text *t, const int64_t *list, int64_t n, const char *open,
                      const char *separator, const char *close);

#endif
