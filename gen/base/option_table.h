/* option_table.h - the table of options, which gives the parser and --help. */
#ifndef GEN_OPTION_TABLE_H
#define GEN_OPTION_TABLE_H

#include "base/options.h"

enum {
  REWRITE = 1 << VERB_REWRITE,
  LIST = 1 << VERB_LIST,
  CHECK = 1 << VERB_CHECK,
  BUILD = 1 << VERB_BUILD,
  REPLAY = 1 << VERB_REPLAY,
  RUN_ALONE = 1 << VERB_RUN,
  RUN = RUN_ALONE | REPLAY, /* a replay is a run */
  WATCH = 1 << VERB_WATCH,
  DIFF = 1 << VERB_DIFF,
  REPORT = 1 << VERB_REPORT,
  COMPARE = 1 << VERB_COMPARE | 1 << VERB_BISECT, /* two that have the same options */
  READ = REWRITE | LIST | CHECK | BUILD | RUN | COMPARE, /* the model's text is read */
  EVERY = READ | WATCH | DIFF | REPORT,
  ANY = EVERY | 1 << VERB_HELP /* also without a model */
};

typedef struct option {
  const char *name;
  char letter;
  const char *value; /* its name in --help; NULL for a flag */
  unsigned verbs;
  /* False: refused. The value of a flag is NULL. NULL, as `wants` and `fallback`: a level's option,
   * see level_of_option(). */
  bool (*set)(options *o, const char *value);
  const char *wants; /* for the error message: what a value must be */
  const char *fallback;
  const char *text;
} option;

extern const option option_table[];
extern const size_t option_table_n;

/* ---- what the options take from the environment */

typedef struct option_environment {
  const char *(*env)(const char *name); /* getenv(), or what stands in for it */
  arena *a;
  diags *d;
} option_environment;

/* Adds it to options that were parsed; what they give is kept. An error, of which there is one at
 * most, goes to `d`. */
void option_environment_take(options *o, const option_environment *from);

#endif
