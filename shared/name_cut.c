/* name_cut.c - see name_cut.h. */
#include "shared/name_cut.h"

#include <string.h>

static bool is_within_character(char c) { return (c & 0xc0) == 0x80; }

bool ag_name_cut(char to[AG_NAME_SHOWN + 1], const char *name) {
  enum { END = 60, DOTS = 3, BEGIN = AG_NAME_SHOWN - END - DOTS, CHARACTER = 4 };
  if (strnlen(name, AG_NAME_SHOWN + 1) <= AG_NAME_SHOWN) return false;
  size_t begin = BEGIN;
  const char *end = name + strlen(name) - END;
  for (int i = 1; i < CHARACTER && is_within_character(name[begin]); i++) begin--;
  for (int i = 1; i < CHARACTER && is_within_character(*end); i++) end++;
  memcpy(to, name, begin);
  memcpy(to + begin, "...", DOTS);
  memcpy(to + begin + DOTS, end, strlen(end) + 1);
  return true;
}
