/* launch_table.h - a recording as a table: a row for each launch, and in it for each argument what
 * it held over the runs.
 *
 * A table is bounded however long the recording is: where there are more runs than columns, a
 * column has several runs one behind the other; rows past a limit are counted, and left out. */
#ifndef GEN_LAUNCH_TABLE_H
#define GEN_LAUNCH_TABLE_H

#include "diff/recording.h"

/* What an argument held in the runs of one column, or in all of them. */
typedef struct report_cell {
  double min, max; /* of the finite elements; max < min where there are none */
  int64_t nan, pos_inf, neg_inf, zero, numel;
  uint32_t scanned; /* runs in which it was; a scalar always is */
} report_cell;

typedef struct report_arg {
  const recorded_param *param;
  const ledger_arg *form; /* of the first run in which it was scanned, else of the first */
  bool is_written;        /* what the launch wrote; else what it read */
  bool varies;            /* in dtype or sizes */
  size_t runs, runs_with_nan, runs_with_inf; /* with either Inf */
  size_t runs_with_pos_inf, runs_with_neg_inf;
  report_cell all;
  report_cell *cells; /* one a column of its model */
} report_arg;

typedef arena_list(report_arg) report_args;

typedef struct report_row {
  const recorded_site *site;
  size_t model; /* its index in the table */
  uint64_t number;
  size_t runs, over; /* that have the launch; in which it ended */
  report_args args;  /* what it read, then what it wrote */
  /* Microseconds: of the runs that have it the median and the least, without the first where there
   * is another; 0: the launch was not timed. */
  double median_us, least_us;
} report_row;

typedef struct report_column {
  uint64_t first, last; /* numbers of runs */
  size_t runs;
} report_column;

typedef struct report_model {
  const recorded_model *model;
  size_t runs, ncolumns;
  report_column *columns;
} report_model;

typedef struct launch_table {
  const recording *of;
  arena_list(report_model) models; /* that have runs */
  arena_list(report_row) rows;     /* by model, then by the launch's number */
  size_t left_out;                 /* launches */
} launch_table;

enum { REPORT_COLUMNS = 60, REPORT_ROWS = 4000, REPORT_ARGS = 20000 };

const launch_table *launch_table_make(const recording *r, arena *a);

#endif
