/* diagnosis.h - the report once the command has ended: what happened, where, the evidence for it,
 * and what to try next.
 */
#ifndef GEN_DIAGNOSIS_H
#define GEN_DIAGNOSIS_H

#include "base/options.h"
#include "run/core_dump.h"
#include "run/event_log.h"
#include "run/model_use.h"
#include "run/static_check.h"
#include <cjson/cJSON.h>

/* Lines that a caller adds to the report, each whole. */
typedef struct diagnosis_note {
  const char *label, *text;
} diagnosis_note;

typedef struct diagnosis_notes {
  arena_list(diagnosis_note) lines;
  cJSON *facts; /* what else a diagnosis as JSON has; NULL where it is not JSON, and adding to that
                 * does nothing */
} diagnosis_notes;

/* All that is known of a run. */
typedef struct evidence {
  const options *o;
  const event_log *log;
  const char *log_name; /* AOTIGEN_LOG of the command; NULL: none */
  const core_dump *core;
  bool has_gpu_cores;     /* the driver was to write core dumps, maybe to a file of the user's */
  bool refuses_gpu_cores; /* a variable of the user's excludes --core-dump */
  const char *source, *wrapper; /* of the verdict's event, and the file that has that text
                                 * (wrapper_text.h), or NULL */
  const model_use *models;
  size_t nmodels;
  const static_check *checks; /* of each model */
  const char *narrowed;   /* "AOTIGEN_RUNS and ...": variables that leave launches out, or NULL */
  const diagnosis_notes *notes; /* of who had it run, or NULL */
  const char *printer_to; /* where the user has the printer write, or NULL */
  long long pid;          /* the process of the command */
  int status;             /* the command's, as waitpid() returns it */
  const char *signal; /* "SIGSEGV" if a signal ended it, also if only a shell says so; else NULL */
} evidence;

/* The subject of the report: the first cause, as far as the evidence goes. */
typedef struct verdict {
  enum cause cause;        /* CAUSE_NONE: nothing was found */
  const event *event;      /* in the log; NULL if a core dump or a line in flight has it */
  const in_flight *launch; /* the launch in flight, if nothing else is known */
} verdict;

verdict diagnosis_decide(const evidence *e);

/* The source that the report points into, or NULL. */
const char *diagnosis_source(const evidence *e);

/* Prints it: a screen at most, or with --json an object (diagnosis_json.h). */
void diagnosis_print(const evidence *e, FILE *to, arena *a);

#endif
