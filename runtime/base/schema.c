/* schema.c - see schema.h. */
#include "base/schema.h"

#include <string.h>

/* Skips the string literal or bracket that begins at `p`; returns `end` if it is not closed. */
static const char *skip_group(const char *p, const char *end) {
  int depth = 0;
  for (; p < end; p++) {
    if (*p == '"' || *p == '\'') {
      char quote = *p;
      for (p++; p < end && *p != quote; p++)
        if (*p == '\\' && p + 1 < end) p++;
      if (p >= end) return end;
    } else if (strchr("([{", *p) && *p) {
      depth++;
    } else if (strchr(")]}", *p) && *p) {
      depth--;
    }
    if (depth <= 0) return p + 1;
  }
  return end;
}

/* The first `c` outside of brackets and strings; `end` if there is none. */
static const char *find_outside(const char *p, const char *end, char c) {
  while (p < end && *p != c) p = strchr("([{\"'", *p) ? skip_group(p, end) : p + 1;
  return p;
}

/* Finds the text between the parentheses of the arguments. */
static bool find_arguments(const char *schema, const char **begin, const char **end) {
  const char *last = schema + strlen(schema);
  const char *open = memchr(schema, '(', (size_t)(last - schema));
  if (!open || open == schema) return false;
  const char *past = skip_group(open, last);
  if (past[-1] != ')') return false;
  *begin = open + 1;
  *end = past - 1;
  return true;
}

/* Finds the text behind "->", without the parentheses around several results. */
static bool find_results(const char *schema, const char **begin, const char **end) {
  if (!find_arguments(schema, begin, end)) return false;
  const char *p = *end + 1, *last = schema + strlen(schema);
  if (strncmp(p, " -> ", 4) != 0) return false;
  p += 4;
  *begin = p;
  *end = last;
  if (*p != '(' || skip_group(p, last) != last || last[-1] != ')') return true;
  *begin = p + 1;
  *end = last - 1;
  return true;
}

bool ag_schema_is_complete(const char *schema) {
  const char *begin, *end;
  return find_results(schema, &begin, &end);
}

/* Reads the letters behind "Tensor": "(a)", "(a!)", "(a -> *)". Returns the place behind them. */
static const char *read_letters(ag_schema_value *value, const char *p, const char *end) {
  const char *past = skip_group(p, end);
  value->shared = true;
  value->written = memchr(p, '!', (size_t)(past - p)) != NULL;
  return past;
}

/* "Tensor(a!)[]" becomes "Tensor[]", "int[2]" "int[]". */
static void read_type(ag_schema_value *value, const char *p, const char *end) {
  size_t n = 0;
  while (p < end && n + 1 < sizeof value->type) {
    if (*p == '(' && n == strlen("Tensor") && !memcmp(value->type, "Tensor", n)) {
      p = read_letters(value, p, end);
      continue;
    }
    bool length = n && value->type[n - 1] == '[' && *p >= '0' && *p <= '9';
    if (!length && *p != ' ') value->type[n++] = *p;
    p++;
  }
  if (n + 1 == sizeof value->type) n = 0;
  value->type[n] = '\0';
}

static void trim(const char **begin, const char **end) {
  while (*begin < *end && **begin == ' ') ++*begin;
  while (*end > *begin && (*end)[-1] == ' ') --*end;
}

/* Reads "TYPE NAME=DEFAULT"; a result may have no name. */
static void read_value(ag_schema_value *value, const char *begin, const char *end, bool result) {
  const char *equals = find_outside(begin, end, '=');
  memset(value, 0, sizeof *value);
  value->has_default = equals < end;
  end = equals;
  trim(&begin, &end);
  const char *type = begin, *past = begin;
  for (const char *p = begin; p < end; p = strchr("([{\"'", *p) ? skip_group(p, end) : p + 1)
    if (*p == ' ') past = p;
  value->name = end;
  if (past > type) {
    value->name = past + 1;
    value->name_bytes = (size_t)(end - value->name);
    end = past;
  } else if (!result) {
    return;
  }
  read_type(value, type, end);
}

static bool next(ag_schema_at *at, ag_schema_value *value, bool result) {
  while (at->at < at->end) {
    const char *begin = at->at, *comma = find_outside(begin, at->end, ',');
    at->at = comma < at->end ? comma + 1 : at->end;
    trim(&begin, &comma);
    if (begin == comma || (comma == begin + 1 && *begin == '*')) continue;
    read_value(value, begin, comma, result);
    return true;
  }
  return false;
}

bool ag_schema_next_argument(ag_schema_at *at, const char *schema, ag_schema_value *value) {
  if (!at->at && !find_arguments(schema, &at->at, &at->end)) return false;
  return next(at, value, false);
}

bool ag_schema_next_result(ag_schema_at *at, const char *schema, ag_schema_value *value) {
  if (!at->at && !find_results(schema, &at->at, &at->end)) return false;
  return next(at, value, true);
}

bool ag_schema_is_named(const ag_schema_value *value, const char *name) {
  return strlen(name) == value->name_bytes && !memcmp(value->name, name, value->name_bytes);
}
