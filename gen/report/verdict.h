/* verdict.h - what is first said of a recording: where NaN and Inf were seen first, and what the
 * recording does not tell. */
#ifndef GEN_VERDICT_H
#define GEN_VERDICT_H

#include "report/pairing.h"

enum verdict_kind {
  VERDICT_GOOD,
  VERDICT_BAD,
  VERDICT_WARNING,
  VERDICT_NOTE /* what is not known, and -Inf, which a mask may hold on purpose */
};

typedef struct verdict_line {
  enum verdict_kind kind;
  const char *text;
  const recorded_launch *launch; /* the one that it tells of, which is A's, or NULL */
  const recorded_run *run;
} verdict_line;

typedef arena_list(verdict_line) verdict;

const verdict *verdict_make(const launch_table *t, arena *a);

/* Of two recordings: where they begin to differ, then what is said of each. */
const verdict *verdict_compare(const pairing *p, arena *a);

#endif
