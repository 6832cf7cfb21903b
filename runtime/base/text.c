/* text.c - a string that grows: its memory, and the formats of numbers. */
#define _GNU_SOURCE
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(ag_text *t, size_t more) {
  if (t->length + more < t->capacity) return true;
  size_t capacity = t->capacity ? t->capacity * 2 : 512;
  while (capacity <= t->length + more) capacity *= 2;
  char *data = realloc(t->data, capacity);
  if (!data) return false;
  t->data = data;
  t->capacity = capacity;
  return true;
}

void ag_text_clear(ag_text *t) {
  t->length = 0;
  if (t->data) t->data[0] = 0;
}

void ag_text_free(ag_text *t) {
  free(t->data);
  *t = (ag_text){0};
}

const char *ag_text_string(const ag_text *t) { return t->data ? t->data : ""; }

void ag_text_add_bytes(ag_text *t, const void *bytes, size_t n) {
  if (!make_room(t, n)) return;
  if (n) memcpy(t->data + t->length, bytes, n);
  t->data[t->length += n] = 0;
}

void ag_text_add(ag_text *t, const char *s) { ag_text_add_bytes(t, s, strlen(s)); }

static void add_formatted(ag_text *t, const char *format, va_list args) {
  char small[256];
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(small, sizeof small, format, args);
  if (n >= 0 && (size_t)n < sizeof small)
    ag_text_add_bytes(t, small, (size_t)n);
  else if (n >= 0 && make_room(t, (size_t)n)) {
    vsnprintf(t->data + t->length, (size_t)n + 1, format, again);
    t->length += (size_t)n;
  }
  va_end(again);
}

void ag_text_addf(ag_text *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add_formatted(t, format, args);
  va_end(args);
}

void ag_text_add_line(ag_text *t, const char *label, const char *format, ...) {
  va_list args;
  va_start(args, format);
  ag_text_addf(t, "  %-13s ", label);
  add_formatted(t, format, args);
  ag_text_add(t, "\n");
  va_end(args);
}

void ag_text_add_int(ag_text *t, int64_t x) {
  char s[24], *end = s + sizeof s, *at = end;
  uint64_t left = x < 0 ? -(uint64_t)x : (uint64_t)x;
  do *--at = (char)('0' + left % 10);
  while (left /= 10);
  if (x < 0) *--at = '-';
  ag_text_add_bytes(t, at, (size_t)(end - at));
}

/* The host may have chosen a locale with a decimal comma. */
static void use_decimal_point(char *s) {
  for (; *s; s++)
    if (*s == ',') *s = '.';
}

static const char *name_non_finite(double x) {
  if (isnan(x)) return signbit(x) ? "-nan" : "nan";
  if (isinf(x)) return x < 0 ? "-inf" : "inf";
  return NULL;
}

void ag_text_add_double(ag_text *t, double x, const char *format, int width) {
  char s[512];
  const char *fixed = name_non_finite(x);
  if (fixed) {
    ag_text_addf(t, "%*s", width, fixed);
    return;
  }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(s, sizeof s, format, x);
#pragma GCC diagnostic pop
  use_decimal_point(s);
  for (int pad = width - (int)strlen(s); pad > 0; pad--) ag_text_add_bytes(t, " ", 1);
  ag_text_add(t, s);
}

void ag_text_add_g(ag_text *t, double x) { ag_text_add_double(t, x, "%g", 0); }

void ag_text_add_shortest(ag_text *t, double x) {
  char s[64];
  const char *fixed = name_non_finite(x);
  if (fixed) {
    ag_text_add(t, fixed);
    return;
  }
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(s, sizeof s, "%.*g", digits, x);
    if (strtod(s, NULL) == x) break;
  }
  if (x == 0 || fabs(x) >= 1e16 || fabs(x) < 1e-4) {
    use_decimal_point(s);
    ag_text_add(t, s);
    return;
  }
  /* Between these bounds C++ streams write no exponent. */
  for (int digits = 0; digits <= 21; digits++) {
    snprintf(s, sizeof s, "%.*f", digits, x);
    if (strtod(s, NULL) == x) break;
  }
  use_decimal_point(s);
  ag_text_add(t, s);
}

void ag_text_add_list(ag_text *t, const int64_t *list, int64_t n, const char *open,
                      const char *separator, const char *close) {
  ag_text_add(t, open);
  for (int64_t i = 0; i < n; i++) {
    if (i) ag_text_add(t, separator);
    ag_text_add_int(t, list[i]);
  }
  ag_text_add(t, close);
}
