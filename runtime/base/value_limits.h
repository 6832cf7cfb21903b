/* value_limits.h - the limits of AOTIGEN_WATCH_LIMITS: "|out| < 1e4; out1 >= 0".
 *
 *     limits     = limit {";" limit} [";"]
 *     limit      = (output | "|" output "|") comparison number
 *     output     = ("out" | "output") [number]       without one it is each output
 *     comparison = "<" | "<=" | ">" | ">="           behind |...| only the first two
 *     number     = ["+" | "-"] digits ["." digits] ["e" ["+" | "-"] digits]
 *
 * Blanks may stand between all of these, and the letters may be large. The locale plays no part.
 * Any thread may call. */
#ifndef AOTIGEN_VALUE_LIMITS_H
#define AOTIGEN_VALUE_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

enum { AG_LIMITS_MOST = 32, AG_LIMIT_OUTPUTS = 100000 };

typedef struct ag_value_limit {
  const char *text; /* "|out| < 1e4", in the list's text */
  size_t length;
  long output;      /* -1: each */
  double bound;     /* finite */
  bool is_absolute; /* of the absolute value */
  bool is_most;     /* < or <=; else > or >= */
  bool is_strict;   /* < or > */
} ag_value_limit;

typedef struct ag_value_limits {
  ag_value_limit at[AG_LIMITS_MOST];
  size_t n;
} ag_value_limits;

/* Reads them. NULL, or what is expected at text[*where]; the list is then empty. The limits point
 * into the text. */
const char *ag_value_limits_read(ag_value_limits *l, const char *text, size_t *where);

/* True if a value of the output is beyond the limit. */
bool ag_value_limit_excludes(const ag_value_limit *limit, long double value);

/* "<=" */
const char *ag_value_limit_comparison(const ag_value_limit *limit);

#endif
