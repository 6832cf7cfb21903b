/* run_pair.h - a run of one recording compared with one of another, launch by launch.
 *
 * A launch differs *by itself* if what it read agrees in both runs and what it wrote does not. */
#ifndef GEN_RUN_PAIR_H
#define GEN_RUN_PAIR_H

#include "diff/recording.h"

enum agreement {
  ARGS_AGREE,
  ARGS_DIFFER,
  ARGS_UNKNOWN /* one of the two was not scanned */
};

/* One argument of a launch in both runs; NULL where a run has none that is its partner. */
typedef struct arg_pair {
  const ledger_arg *a, *b;
  const recorded_param *param; /* of run a; of b if there is none */
  enum agreement agreement;
} arg_pair;

typedef arena_list(arg_pair) arg_pairs;

enum launch_outcome {
  LAUNCH_AGREES,
  LAUNCH_BY_ITSELF,  /* it read the same and wrote something else */
  LAUNCH_FOLLOWS,    /* it read and wrote something else */
  LAUNCH_MAY_FOLLOW, /* it wrote something else, and it is not known whether it read the same */
  LAUNCH_MENDS,      /* it read something else and wrote the same */
  LAUNCH_UNKNOWN     /* it is not over in one of the runs, or its outputs were not scanned */
};

/* A launch read something else that no launch of the run wrote so. */
enum launch_origin {
  ORIGIN_NONE,
  ORIGIN_GIVEN,  /* no recorded launch wrote it: an input, a weight, what is not recorded */
  ORIGIN_CHANGED /* the launches before it wrote the same in both runs: it was changed since */
};

typedef struct launch_pair {
  const recorded_launch *a, *b; /* NULL: only the other run has it */
  arg_pairs read, wrote;
  enum launch_outcome outcome;
  enum launch_origin origin;
  const arg_pair *changed; /* of an origin: what it read */
} launch_pair;

typedef struct run_pair {
  const recorded_run *a, *b;
  arena_list(launch_pair) launches;
  size_t n[LAUNCH_UNKNOWN + 1]; /* launches with each outcome */
  size_t origins;               /* launches that have an origin */
  size_t alone;                 /* launches that the other run, which is over, does not have */
} run_pair;

/* How arguments are compared. bound: relative to the largest magnitude; 0: bit for bit; below 0:
 * bit for bit in models of one wrapper, else by what rounding of their type explains. */
typedef struct comparison {
  bool same_build;
  double bound;
} comparison;

enum agreement compare_args(const comparison *c, const ledger_arg *a, const ledger_arg *b);
void compare_runs(const comparison *c, const recorded_run *x, const recorded_run *y, run_pair *to,
                  arena *a);

#endif
