/* in_flight_line.h - a line of the log that is overwritten: the launch that a thread is at. Inside
 * the library only.
 *
 * The line is a JSON object of a fixed width, mapped into memory, so that a launch costs a few
 * stores and the line survives the process, whatever ends it. Each store leaves the line valid
 * JSON: numbers are 8 bytes that are stored at once, and strings are padded with blanks within
 * their quotes. One thread at a time writes to a line.
 */
#ifndef AOTIGEN_IN_FLIGHT_LINE_H
#define AOTIGEN_IN_FLIGHT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/wrapper/aotigen.h"

/* Bytes of a wrapper's path, here and in what a signal handler writes: more are cut. */
enum { AG_SOURCE_MOST = 320 };

/* Where the values of the object's fields stand. */
typedef struct ag_in_flight_values {
  char *time, *pid, *thread, *source, *run, *launch, *site, *line, *at, *kernel;
} ag_in_flight_values;

typedef struct ag_in_flight_line {
  char *begin; /* in the mapping; NULL: there is no line */
  char *mapping;
  size_t mapped;  /* bytes */
  int64_t offset; /* in the log */
  char *text;     /* the object's first byte */
  ag_in_flight_values values;
  int64_t shown_ms;            /* that `time` shows, since 1970 */
  const aotigen_site *current; /* whose kernel is shown */
  size_t kernel_bytes;         /* of its field, without the blanks behind them */
  uint64_t device, inode;      /* of the log that was asked last */
  bool refused;                /* that log is no file of a local disk */
} ag_in_flight_line;

/* The line of a run that begins on `thread`. Appends one to the log where there is none, or where
 * the log was truncated. */
void ag_in_flight_line_begin(ag_in_flight_line *l, const aotigen_model *model, uint64_t run,
                             int thread);

/* The two stores of a launch. at: 8 bytes, "checking". Without a line they do nothing. */
void ag_in_flight_line_launch(ag_in_flight_line *l, const aotigen_model *model, uint32_t site,
                              uint64_t launch);
void ag_in_flight_line_at(ag_in_flight_line *l, const char at[8]);

/* Is the address in the line's mapping: the log was truncated, and the store that raised SIGBUS has
 * to go somewhere else. Maps other memory there. For a signal handler. */
bool ag_in_flight_line_repair(ag_in_flight_line *l, const void *address);

/* In a child of fork(): the line is its parent's. */
void ag_in_flight_line_forget(ag_in_flight_line *l);
void ag_in_flight_line_free(ag_in_flight_line *l);

#endif
