/* diff_option.c - see diff_option.h. */
#include "base/diff_option.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool diff_option_set_run(options *o, const char *value) {
  const size_t n = strspn(value, "0123456789");
  o->diff.run = n && n <= 18 && !value[n] ? strtoull(value, NULL, 10) : 0;
  return o->diff.run > 0;
}

bool diff_option_set_bound(options *o, const char *value) {
  char *end;
  o->diff.bound = strtod(value, &end);
  return *value && !*end && isfinite(o->diff.bound) && o->diff.bound >= 0 &&
         strcspn(value, "-0123456789.") == 0;
}
