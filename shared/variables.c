/* variables.c - see variables.h. */
#include "shared/variables.h"
#include "shared/nearest.h"

#include <string.h>

const char *ag_variable_meant(const char *entry, size_t *n) {
  static const char prefix[] = "AOTIGEN_";
  const size_t k = sizeof prefix - 1;
  ag_nearest s;
  *n = strcspn(entry, "=");
  if (*n <= k || memcmp(entry, prefix, k) != 0) return NULL;
  ag_nearest_begin_word(&s, entry + k, *n - k);
  for (int i = 0; i < VARIABLES; i++) {
    const char *name = variable_name((enum variable)i);
    if (strncmp(name, prefix, k) != 0) continue;
    if (strlen(name) == *n && !memcmp(name, entry, *n)) return NULL;
    ag_nearest_add(&s, name + k, strlen(name + k));
  }
  return s.count ? s.best[0].name - k : NULL;
}
