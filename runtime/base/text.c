/* text.c - a string that grows. Knows memory and number formats, nothing else. */
#define _GNU_SOURCE
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool room(ag_text *t, size_t more) {
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

void ag_add_bytes(ag_text *t, const void *bytes, size_t n) {
  if (!room(t, n)) return;
  if (n) memcpy(t->data + t->length, bytes, n);
  t->data[t->length += n] = 0;
}

void ag_add(ag_text *t, const char *s) { ag_add_bytes(t, s, strlen(s)); }

static void addv(ag_text *t, const char *format, va_list args) {
  char small[256];
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(small, sizeof small, format, args);
  if (n >= 0 && (size_t)n < sizeof small)
    ag_add_bytes(t, small, (size_t)n);
  else if (n >= 0 && room(t, (size_t)n)) {
    vsnprintf(t->data + t->length, (size_t)n + 1, format, again);
    t->length += (size_t)n;
  }
  va_end(again);
}

void ag_addf(ag_text *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  addv(t, format, args);
  va_end(args);
}

void ag_add_line(ag_text *t, const char *label, const char *format, ...) {
  va_list args;
  va_start(args, format);
  ag_addf(t, "  %-13s ", label);
  addv(t, format, args);
  ag_add(t, "\n");
  va_end(args);
}

void ag_add_int(ag_text *t, int64_t x) {
  char s[24], *end = s + sizeof s, *at = end;
  uint64_t left = x < 0 ? -(uint64_t)x : (uint64_t)x;
  do *--at = (char)('0' + left % 10);
  while (left /= 10);
  if (x < 0) *--at = '-';
  ag_add_bytes(t, at, (size_t)(end - at));
}

/* A decimal comma comes from a locale that the host chose. */
static void classic(char *s) {
  for (; *s; s++)
    if (*s == ',') *s = '.';
}

static const char *special(double x) {
  if (isnan(x)) return signbit(x) ? "-nan" : "nan";
  if (isinf(x)) return x < 0 ? "-inf" : "inf";
  return NULL;
}

void ag_add_double(ag_text *t, double x, const char *format, int width) {
  char s[512];
  const char *fixed = special(x);
  if (fixed) {
    ag_addf(t, "%*s", width, fixed);
    return;
  }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(s, sizeof s, format, x);
#pragma GCC diagnostic pop
  classic(s);
  for (int pad = width - (int)strlen(s); pad > 0; pad--) ag_add_bytes(t, " ", 1);
  ag_add(t, s);
}

void ag_add_g(ag_text *t, double x) { ag_add_double(t, x, "%g", 0); }

void ag_add_shortest(ag_text *t, double x) {
  char s[64];
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(s, sizeof s, "%.*g", digits, x);
    if (strtod(s, NULL) == x) break;
  }
  if (special(x) || fabs(x) >= 1e16 || fabs(x) < 1e-4) {
    classic(s);
    ag_add(t, special(x) ? special(x) : x == 0 ? signbit(x) ? "-0" : "0" : s);
    return;
  }
  /* Between these bounds no exponent, however few the digits. */
  for (int digits = 0; digits <= 21; digits++) {
    snprintf(s, sizeof s, "%.*f", digits, x);
    if (strtod(s, NULL) == x) break;
  }
  classic(s);
  ag_add(t, s);
}

void ag_add_list(ag_text *t, const int64_t *list, int64_t n, const char *open,
                 const char *separator, const char *close) {
  ag_add(t, open);
  for (int64_t i = 0; i < n; i++) {
    if (i) ag_add(t, separator);
    ag_add_int(t, list[i]);
  }
  ag_add(t, close);
}

/* Length of the UTF-8 sequence at s, 0 where there is none. */
static int utf8(const unsigned char *s) {
  int n = s[0] < 0x80                   ? 1
          : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
          : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
          : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                        : 0;
  for (int i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80) return 0;
  if (n == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0))) return 0;
  if (n == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))) return 0;
  return n;
}

void ag_add_json(ag_text *t, const char *s) {
  if (!s) {
    ag_add(t, "null");
    return;
  }
  ag_add(t, "\"");
  while (*s) {
    int n = utf8((const unsigned char *)s);
    if (!n)
      ag_add(t, "\\ufffd");
    else if (*s == '"' || *s == '\\')
      ag_addf(t, "\\%c", *s);
    else if ((unsigned char)*s < 0x20)
      ag_addf(t, "\\u%04x", (unsigned)*s);
    else
      ag_add_bytes(t, s, (size_t)n);
    s += n ? n : 1;
  }
  ag_add(t, "\"");
}
