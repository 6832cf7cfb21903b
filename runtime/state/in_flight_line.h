/* in_flight_line.h - a line of the log that is overwritten: the current launch of a thread. Inside
 * the library only.
 *
 * The line is a JSON object of a fixed width, put together in memory of the library's own and
 * copied by the kernel into the mapped log (state/staged.h), so that it survives any end of the
 * process, and a log that is truncated raises no signal. Each copy leaves the line valid JSON:
 * numbers are 8 bytes that are copied at once, and strings are padded with blanks within their
 * quotes. One thread at a time writes to a line. */
#ifndef AOTIGEN_IN_FLIGHT_LINE_H
#define AOTIGEN_IN_FLIGHT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/wrapper/aotigen.h"

/* The most bytes of a wrapper's path, here and in a signal handler's output: the rest is
 * truncated. */
enum { AG_SOURCE_MOST = 320 };

/* The positions of the values of the object's fields. */
typedef struct ag_in_flight_values {
  char *time, *pid, *thread, *source, *run, *launch, *site, *line, *at, *kernel;
} ag_in_flight_values;

typedef struct ag_in_flight_line {
  int slot;     /* of staged.h */
  char *begin;  /* in the slot; NULL: there is no line */
  char *logged; /* the same byte in the mapped log */
  char *mapping;
  size_t mapped;  /* bytes */
  int64_t offset; /* in the log */
  size_t shift;   /* the bytes before the object */
  ag_in_flight_values values;
  int64_t shown_ms;            /* that `time` shows, since 1970 */
  const aotigen_site *current; /* whose kernel is shown */
  size_t kernel_bytes;         /* the length of its name in the field, without blanks */
  uint64_t device, inode;      /* those of the log that was checked last */
  bool refused;                /* that log is not a file on a local disk */
} ag_in_flight_line;

/* Begins the line of a run on `thread`. Appends a line to the log if there is none, or if the log
 * was truncated. slot: no other line's. */
void ag_in_flight_line_begin(ag_in_flight_line *l, int slot, const aotigen_model *model,
                             uint64_t run, int thread);

/* The two changes of a launch. at: 8 bytes, "checking". Without a line they do nothing. */
void ag_in_flight_line_launch(ag_in_flight_line *l, const aotigen_model *model, uint32_t site,
                              uint64_t launch, const char at[8]);
void ag_in_flight_line_at(ag_in_flight_line *l, const char at[8]);

/* In a child of fork(): the line is its parent's. */
void ag_in_flight_line_forget(ag_in_flight_line *l);
void ag_in_flight_line_free(ag_in_flight_line *l);

#endif
