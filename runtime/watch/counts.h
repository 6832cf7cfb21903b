/* counts.h - what a watched model counts: the numbers of aotigen_watch.h. Inside the library only.
 *
 * A row of numbers is of a model and device, and lives as long as the process: all watched models
 * of it share one table, whichever of them writes it to a file. A model that is loaded again goes
 * on counting. A child of fork() begins with 0. Any thread may call. */
#ifndef AOTIGEN_COUNTS_H
#define AOTIGEN_COUNTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "aotigen_watch.h"

enum ag_count {
#define COUNT(NAME, ...) AG_COUNT_##NAME,
#include "watch/counts.def"
  AG_COUNTS
};

typedef struct ag_count_row {
  struct ag_count_row *next;
  _Atomic(char *) model, package; /* never NULL once the row is in the table */
  _Atomic(char *) device;         /* NULL until a run was watched: "cuda:0" */
  atomic_bool is_used;            /* a library that is loaded counts here */
  _Atomic uint64_t n[AG_COUNTS];
} ag_count_row;

typedef struct ag_count_table {
  _Atomic(ag_count_row *) rows;
  atomic_flag writing;       /* a thread writes the file, or decides about a diagnosis */
  _Atomic int64_t written;   /* when the file was; microseconds of ag_time_us() */
  _Atomic int64_t diagnosed; /* when the last diagnosis began; 0: none yet */
  atomic_bool diagnosing;
  atomic_int process; /* whose numbers these are */
} ag_count_table;

/* NULL if there is no memory. */
ag_count_table *ag_counts_table(void);

void ag_count(enum ag_count which, uint64_t n);
/* A finding of that kind, as the report's head has it: "NaN". */
void ag_count_finding(const char *kind);
/* The device that the model runs on; only the first counts. */
void ag_count_on(int32_t device_type, int32_t device_index);

/* Nanoseconds of a clock. */
uint64_t ag_count_clock(void);
/* Adds to AG_COUNT_NS those since then. */
void ag_count_time(uint64_t since);

/* aotigen_watch_count(), which only entries.c may export. */
int ag_counts_read(aotigen_watch_counts *counts);

#endif
