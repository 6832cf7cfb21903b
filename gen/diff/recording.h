/* recording.h - a ledger (shared/ledger.h) as it was read: models, their sites, and the runs with
 * their launches.
 *
 * A ledger may be torn, still be written, or be a stranger's. What is not whole is left out: each
 * entry that is taken has its sum, and each number in it lies in its range. */
#ifndef GEN_RECORDING_H
#define GEN_RECORDING_H

#include "base/diag.h"
#include "shared/ledger.h"

typedef struct recorded_param {
  const char *name;       /* "buf0" */
  const char *given_name; /* the user's name of an input or a weight; "" of another */
} recorded_param;

/* The texts of a site; "" of what is not known. */
typedef struct recorded_site {
  const char *kernel, *nodes, *aten, *model_line, *module;
  uint32_t line; /* in the wrapper */
  const recorded_param *params;
  size_t nparams;
} recorded_site;

typedef struct recorded_model {
  const char *wrapper;
  uint64_t build; /* equal for models of the same wrapper */
  const recorded_site **sites;
  size_t nsites;
} recorded_model;

typedef struct recorded_args {
  const ledger_arg **at; /* each is followed by its sizes */
  size_t n;
} recorded_args;

typedef struct recorded_launch {
  const recorded_site *site;
  uint64_t number;
  recorded_args before, after;
  double took_us; /* it was timed, as AOTIGEN_TIME has it; else 0 */
  bool has_before, is_over; /* it was recorded before it was launched, and behind that */
} recorded_launch;

typedef struct recorded_run {
  const recorded_model *model;
  uint64_t number;
  bool is_over;
  arena_list(recorded_launch) launches; /* in the order of their numbers */
} recorded_run;

typedef struct recording {
  const char *path;
  const ledger_header *header;
  arena_list(const recorded_model *) models; /* NULL where a number has none */
  arena_list(recorded_run) runs;             /* in the order in which they began */
  size_t unnamed; /* entries of launches that are left out, since their site has no name */
  bool is_torn;   /* what follows the last whole entry was left out */
} recording;

static inline const int64_t *recorded_sizes(const ledger_arg *x) {
  return (const int64_t *)(const void *)(x + 1);
}

/* The value of a scalar; its text in full. */
double recorded_scalar(const ledger_arg *x);
const char *recorded_scalar_text(const ledger_arg *x, arena *a);

/* "float32 [2, 3]" of a tensor; "int64" of a scalar. */
const char *recorded_form(const ledger_arg *x, arena *a);

/* The recording in a file, or in a directory with one such file. NULL, with an error of
 * STATUS_USAGE, if there is none. */
const recording *recording_read(const char *path, arena *a, diags *d);

#endif
