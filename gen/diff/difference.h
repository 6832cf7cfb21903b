/* difference.h - where two recordings begin to differ: the first pair of runs that does, and of
 * that the launch that is told. */
#ifndef GEN_DIFFERENCE_H
#define GEN_DIFFERENCE_H

#include "base/options.h"
#include "diff/run_pair.h"

typedef struct difference {
  const recording *a, *b;
  comparison how;
  run_pair shown; /* the first that differs, else the last; its a is NULL where there is none */
  arena *of_shown;
  size_t pairs, differ; /* runs */
  size_t unknown;       /* launches, of all pairs */
} difference;

/* Compares run --run of each, or each run that both have; if they have none in common, the last of
 * each. The caller frees it with difference_free(). */
void difference_find(difference *x, const recording *a, const recording *b, const diff_options *o);
void difference_free(difference *x);

/* That it does not only follow. */
bool difference_has_cause(const launch_pair *p);

/* The first launch that is to be told, or NULL. */
const launch_pair *difference_first(const difference *x);

/* ---- words */

const char *difference_param(const recorded_param *p, arena *a);
const char *difference_launch(const recorded_launch *l, arena *a);

/* "read the same and wrote something else" */
const char *difference_cause(const launch_pair *p, arena *a);

/* "run 2: launch 2 (mm) read the same and wrote something else". first: difference_first() */
const char *difference_what(const difference *x, const launch_pair *first, arena *a);

/* "they agree", of recordings of which no run differs. */
const char *difference_agreement(const difference *x);

/* "3 launches" */
const char *difference_count(size_t n, const char *what, arena *a);

typedef struct difference_note {
  const char *label, *text; /* "follow": "2 launches read what differs, and wrote something else" */
} difference_note;

typedef arena_list(difference_note) difference_notes;

/* Adds what may explain that a launch differs by itself, and is no fault. */
void difference_add_doubts(const launch_pair *p, difference_notes *to, arena *a);

/* Adds what else is to be told: how many launches follow, are mended or are not known, and what was
 * compared. */
void difference_add_notes(const difference *x, difference_notes *to, arena *a);

#endif
