/* pairing.h - the tables of two recordings side by side, as `aotigen diff` compares them. */
#ifndef GEN_PAIRING_H
#define GEN_PAIRING_H

#include "diff/difference.h"
#include "report/launch_table.h"

/* A row of A and its partner in B, in the pair of runs that is shown. */
typedef struct paired_row {
  const launch_pair *pair; /* NULL: the run that is shown has no such launch */
  const report_row *other; /* NULL: B has none, or has left it out */
} paired_row;

typedef struct pairing {
  const difference *of;
  const launch_table *a, *b;
  const paired_row *rows;         /* of each row of A */
  const launch_pair *const *only; /* of each row of B: the pair where A has none; else NULL */
} pairing;

const pairing *pairing_make(const difference *d, const launch_table *x, const launch_table *y,
                            arena *a);

/* The partner of an argument, or NULL. */
const arg_pair *pairing_arg(const launch_pair *p, const report_row *row, const report_arg *arg);
const report_arg *pairing_other(const paired_row *row, const arg_pair *pair, bool is_written);

#endif
