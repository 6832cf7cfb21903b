/* variables.h - the names of the run-time library's environment variables, as in
 * shared/variables.def: variable_name(VARIABLE_AOTIGEN_LOG) is "AOTIGEN_LOG". */
#ifndef SHARED_VARIABLES_H
#define SHARED_VARIABLES_H

#include <stddef.h>

enum variable {
#define VARIABLE(field, NAME, ...) VARIABLE_##NAME,
#include "shared/variables.def"
  VARIABLES
};

static inline const char *variable_name(enum variable which) {
  static const char *const names[] = {
#define VARIABLE(field, NAME, ...) #NAME,
#include "shared/variables.def"
  };
  return names[which];
}

/* The variable that is meant by an entry of the environment, "AOTIGEN_RUN=2", whose name is none of
 * ours, but similar to one: "AOTIGEN_RUNS". NULL for all others. *n is the length of the entry's
 * name. */
const char *ag_variable_meant(const char *entry, size_t *n);

#endif
