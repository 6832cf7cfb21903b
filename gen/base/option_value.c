/* option_value.c - see option_value.h. */
#include "base/option_value.h"
#include "base/levels.h"
#include "shared/wrapper/aotigen_tables.h"
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

static bool is_blank(const char *s, size_t n) { return strspn(s, " ") >= n; }

/* "2, 3": the last bracket is behind it. */
static bool is_index(const char *s, size_t n) {
  if (is_blank(s, n)) return true;
  for (const char *end = s + n;; s++) {
    s += strspn(s, " ");
    size_t number = strspn(s, "0123456789");
    s += number;
    s += strspn(s, " ");
    if (!number || number > 18 || (*s != ',' && s != end)) return false;
    if (s == end) return true;
  }
}

static bool is_launch(const char *s, size_t n) {
  char launch[4096];
  if (n >= sizeof launch) return false;
  memcpy(launch, s, n);
  launch[n] = '\0';
  bool number = strspn(launch, "0123456789") == n;
  if (is_blank(launch, n) || (number && (n > 18 || strspn(launch, "0") == n))) return false;
  return option_value_is_filter(launch);
}

/* As the runtime reads it, base/element_list.c. */
static bool is_element(const char *s, size_t n) {
  while (n && *s == ' ') s++, n--;
  while (n && s[n - 1] == ' ') n--;
  const char *open = memrchr(s, '[', n);
  const char *colon = open ? memrchr(s, ':', (size_t)(open - s)) : NULL;
  if (!colon || s[n - 1] != ']') return false;
  return !is_blank(colon + 1, (size_t)(open - colon - 1)) && is_launch(s, (size_t)(colon - s)) &&
         is_index(open + 1, (size_t)(s + n - 1 - open - 1));
}

bool option_value_is_elements(const char *value) {
  for (const char *s = value; *s; s += *s == ';') {
    size_t n = strcspn(s, ";");
    if (!is_blank(s, n) && !is_element(s, n)) return false;
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

/* ---- --guard */

static bool is_buffer_list(const char *s, size_t n) {
  bool any = false; /* of the name that has begun */
  for (size_t i = 0; i < n; i++) {
    bool letter = (s[i] >= 'a' && s[i] <= 'z') || (s[i] >= 'A' && s[i] <= 'Z') ||
                  (s[i] >= '0' && s[i] <= '9') || s[i] == '_';
    if (!letter && (s[i] != '+' || !any)) return false;
    any = letter;
  }
  return any;
}

static unsigned find_guard(const char *s, size_t n) {
#define MODE(constant, value, word) {word, value},
  static const struct {
    const char *name;
    unsigned bit;
  } modes[] = {AOTIGEN_GUARDS(MODE)};
#undef MODE
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (strlen(modes[i].name) == n && !memcmp(modes[i].name, s, n)) return modes[i].bit;
  return 0;
}

/* Memory has one form, but for buffers that are named; copies have one. */
static bool go_together(unsigned guard, bool named) {
  unsigned forms = guard & (AOTIGEN_GUARD_CANARY | AOTIGEN_GUARD_PAGE | AOTIGEN_GUARD_PAGE_BEFORE);
  if (guard & (AOTIGEN_GUARD_INPUTS | AOTIGEN_GUARD_WEIGHTS) && !forms) return false;
  return !(forms & (forms - 1)) || (named && forms == (AOTIGEN_GUARD_CANARY | AOTIGEN_GUARD_PAGE));
}

bool option_value_read_guard(const char *value, unsigned *guard, char *buffers, size_t room) {
  static const char page[] = "page:";
  const size_t prefix = sizeof page - 1;
  *guard = 0;
  *buffers = '\0';
  if (!strcmp(value, "off")) return true;
  for (const char *s = value;; s++) {
    size_t n = strcspn(s, ",");
    unsigned bit = find_guard(s, n);
    if (!bit && n > prefix && !memcmp(s, page, prefix) && !*buffers && n - prefix < room &&
        is_buffer_list(s + prefix, n - prefix)) {
      memcpy(buffers, s + prefix, n - prefix);
      buffers[n - prefix] = '\0';
      bit = AOTIGEN_GUARD_PAGE;
    }
    if (!bit || *guard & bit) return false;
    *guard |= bit;
    s += n;
    if (!*s) return go_together(*guard, *buffers != '\0');
  }
}
