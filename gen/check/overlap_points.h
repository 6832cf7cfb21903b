/* meetings.h - two points of a kernel's loops at which two accesses meet at one element, computed
 * for sizes that are set: what pairs.h cannot exclude. */
#ifndef GEN_CHECK_MEETINGS_H
#define GEN_CHECK_MEETINGS_H

#include "check/pairs.h"

typedef struct meeting_found {
  int64_t element;             /* of the memory that both share */
  const char *x_text, *y_text; /* the points: "x = 3" */
} meeting_found;

/* Looks for two points of `p` that belong to different programs, or steps of one of its loops, and
 * of which that of `y` is later: what `x` stores is in the place of what `y` needs, or stores.
 * Where `x` and `y` are one store the values that it stores differ. At most `most` points of each
 * are tried; *work counts them. False where none is found. */
bool meeting_find(meeting_found *m, symbols *s, const range_launch *l, const pair *p, int64_t most,
                  int64_t *work);

#endif
