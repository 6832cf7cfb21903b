/* output_report.h - what is bad in the outputs of a watched run, or ended it: the report, and a
 * capsule. Inside the library only. */
#ifndef AOTIGEN_OUTPUT_REPORT_H
#define AOTIGEN_OUTPUT_REPORT_H

#include "base/text.h"
#include "watch/watched_run.h"

/* What is found in an output, the worst first. */
enum ag_output_kind { AG_OUTPUT_BAD, AG_OUTPUT_BEYOND, AG_OUTPUT_DEAD, AG_OUTPUT_KINDS };

typedef struct ag_output_report {
  unsigned count;
  enum ag_output_kind worst;
  const char *kind; /* of the first output with the worst: "NaN"; or of the fault */
  size_t output;    /* that one */
  size_t named;     /* one more than the output that `lines` have named last */
  enum ag_fault fault;
  ag_text lines, findings; /* findings: a list of JSON objects, of a capsule */
} ag_output_report;

/* Adds an output that has bad values. */
void ag_output_report_add(ag_output_report *report, const ag_watched_run *r, size_t output,
                          const ag_stats *stats);

/* The same of what the caller adds to `lines` and `findings`, which then name the output. kind: as
 * "%s in output 0"; static. */
void ag_output_report_note(ag_output_report *report, const ag_watched_run *r, size_t output,
                           enum ag_output_kind which, const char *kind);

/* Writes the report, with a capsule where one is due, and frees it. False if nothing was added. */
bool ag_output_report_end(ag_output_report *report, const ag_watched_run *r);

#endif
