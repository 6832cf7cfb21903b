/* value_limits.c - see value_limits.h. */
#define _GNU_SOURCE
#include "base/value_limits.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NUMBER_MOST = 63 };

static void skip_blanks(const char **s) {
  while (isspace((unsigned char)**s)) ++*s;
}

static bool take(const char **s, char c) {
  skip_blanks(s);
  if (**s != c) return false;
  ++*s;
  return true;
}

static const char *read_output(const char **s, ag_value_limit *limit) {
  skip_blanks(s);
  if (strncasecmp(*s, "out", 3) != 0) return "out, or out0 for the first output";
  *s += strncasecmp(*s, "output", 6) ? 3 : 6;
  const char *name_end = *s;
  skip_blanks(s);
  if (isalpha((unsigned char)**s) || **s == '_') {
    *s = name_end;
    return "an output's number, or a comparison";
  }
  if (!isdigit((unsigned char)**s)) return NULL;
  for (limit->output = 0; isdigit((unsigned char)**s); ++*s) {
    limit->output = 10 * limit->output + (**s - '0');
    if (limit->output >= AG_LIMIT_OUTPUTS) return "a smaller number of an output";
  }
  return NULL;
}

static const char *read_comparison(const char **s, ag_value_limit *limit) {
  skip_blanks(s);
  if (limit->is_absolute && **s == '>') return "< or <= behind |...|";
  if (**s != '<' && **s != '>') return "<, <=, > or >=";
  limit->is_most = *(*s)++ == '<';
  limit->is_strict = **s != '=';
  *s += !limit->is_strict;
  return NULL;
}

/* The length of a decimal number; 0 if there is none. */
static size_t measure_number(const char *s) {
  const char *p = s + (*s == '+' || *s == '-');
  size_t digits = strspn(p, "0123456789");
  p += digits;
  if (*p == '.') {
    size_t more = strspn(p + 1, "0123456789");
    digits += more;
    p += 1 + more;
  }
  if (!digits) return 0;
  if (*p != 'e' && *p != 'E') return (size_t)(p - s);
  const char *e = p + 1 + (p[1] == '+' || p[1] == '-');
  digits = strspn(e, "0123456789");
  return (size_t)((digits ? e + digits : p) - s);
}

static const char *read_bound(const char **s, ag_value_limit *limit) {
  char number[NUMBER_MOST + 1];
  skip_blanks(s);
  size_t n = measure_number(*s);
  if (!n || n > NUMBER_MOST) return "a number such as 1e4 or -0.5";
  memcpy(number, *s, n);
  number[n] = 0;
  locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  limit->bound = c ? strtod_l(number, NULL, c) : (double)NAN;
  if (c) freelocale(c);
  if (!isfinite(limit->bound)) return "a number that a double can have";
  if (limit->is_absolute && limit->bound < 0) return "a number from 0 on, of an absolute value";
  *s += n;
  return NULL;
}

static const char *read_limit(const char **s, ag_value_limit *limit) {
  *limit = (ag_value_limit){.text = *s, .output = -1};
  limit->is_absolute = take(s, '|');
  const char *why = read_output(s, limit);
  if (!why && limit->is_absolute && !take(s, '|')) why = "|";
  if (!why) why = read_comparison(s, limit);
  if (!why) why = read_bound(s, limit);
  limit->length = (size_t)(*s - limit->text);
  if (why) return why;
  skip_blanks(s);
  return !**s || take(s, ';') ? NULL : "; or the end";
}

static const char *read_next(const char **s, ag_value_limits *l) {
  return l->n < AG_LIMITS_MOST ? read_limit(s, &l->at[l->n]) : "at most 32 limits";
}

const char *ag_value_limits_read(ag_value_limits *l, const char *text, size_t *where) {
  const char *s = text, *why = NULL;
  l->n = 0;
  for (skip_blanks(&s); !why && *s; l->n += !why) {
    why = read_next(&s, l);
    if (!why) skip_blanks(&s);
  }
  *where = (size_t)(s - text);
  if (why) l->n = 0;
  return why;
}

bool ag_value_limit_excludes(const ag_value_limit *limit, long double value) {
  if (limit->is_absolute && value < 0) value = -value;
  if (limit->is_most) return limit->is_strict ? value >= limit->bound : value > limit->bound;
  return limit->is_strict ? value <= limit->bound : value < limit->bound;
}

const char *ag_value_limit_comparison(const ag_value_limit *limit) {
  if (limit->is_most) return limit->is_strict ? "<" : "<=";
  return limit->is_strict ? ">" : ">=";
}
