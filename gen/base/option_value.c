/* option_value.c - see option_value.h. */
#include "base/option_value.h"
#include "shared/elements.h"
#include "shared/filter.h"
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

bool option_value_is_filter(const char *value) {
  return ag_filter_is_valid(value) && option_value_is_text(value);
}

bool option_value_is_elements(const char *value) {
  enum ag_element_found found;
  ag_element e;
  const char *rest = value;
  while ((found = ag_element_next(&rest, &e)) == AG_ELEMENT_READ) continue;
  return found == AG_ELEMENT_END && option_value_is_text(value);
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
  bool any = false; /* the name that was begun has a character */
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
