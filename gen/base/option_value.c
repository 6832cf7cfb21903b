/* option_value.c - see option_value.h. */
#include "base/option_value.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Room for what is appended to a path: a temporary file's name, a directory below it. */
enum { APPENDED = 64 };

bool option_value_is_text(const char *value) {
  for (const char *s = value; *s; s++)
    if ((unsigned char)*s < 0x20 || *s == 0x7f) return false;
  return true;
}

static bool is_empty_exclusion(const char *item, size_t n) {
  size_t i = strspn(item, " ");
  return i < n && item[i] == '!' && i + 1 + strspn(item + i + 1, " ") >= n;
}

bool option_value_is_filter(const char *value) {
  for (const char *s = value; *s; s += *s == ',') {
    size_t n = strcspn(s, ",");
    if (is_empty_exclusion(s, n)) return false;
    s += n;
  }
  return option_value_is_text(value);
}

bool option_value_is_path(const char *value) {
  return *value && strlen(value) < PATH_MAX - APPENDED;
}

bool option_value_is_absolute(const char *value) {
  return *value == '/' && option_value_is_path(value) && option_value_is_text(value);
}

bool option_value_is_program(const char *value) {
  if (*value == '-' || (*value != '/' && strchr(value, '/'))) return false;
  return !strpbrk(value, " \t\"'`$;&|<>") && option_value_is_text(value);
}

bool option_value_is_date(const char *value) {
  const unsigned long long most = 253402300799;
  size_t n = strspn(value, "0123456789");
  return n && !value[n] && n <= 12 && strtoull(value, NULL, 10) <= most;
}
