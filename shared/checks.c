/* checks.c - see checks.h. */
#include "shared/checks.h"

const char *ag_check_name(enum ag_check check) {
  static const char *const names[] = {
#define CHECK(name, text, ...) text,
#include "shared/checks.def"
  };
  return names[check];
}

enum ag_concern ag_check_concern(enum ag_check check) {
  static const enum ag_concern concerns[] = {
#define CHECK(name, text, listed, concern) AG_CONCERNS_##concern,
#include "shared/checks.def"
  };
  return concerns[check];
}

const char *ag_listed_name(enum ag_listed listed) {
  static const char *const names[] = {
#define LISTED(name, text) text,
#include "shared/checks.def"
  };
  return names[listed];
}
