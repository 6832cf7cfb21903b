/* guards.h - which of the run-time guard's checks a launch site gets: what `aotigen list` prints.
 * A test holds the table against runtime/checks/guard.c. */
#ifndef GEN_GUARDS_H
#define GEN_GUARDS_H

#include "model/model.h"

typedef struct guard_row {
  const char *name;               /* in the list: "storage" */
  const char *checks[4];          /* what the runtime calls its checks, NULL-terminated */
  bool (*applies)(const site *s); /* to at least one argument of a site that is instrumented */
} guard_row;

extern const guard_row guards_table[];
extern const size_t guards_table_n;

/* The names of a site's guards, in the order of the table; none of a site that is left alone. */
strings guards_find(const site *s, arena *a);

#endif
