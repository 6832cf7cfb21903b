/* output_report.h - what is bad in the outputs of a watched run: the report, and a
 * capsule. Inside the library only. */
#ifndef AOTIGEN_OUTPUT_REPORT_H
#define AOTIGEN_OUTPUT_REPORT_H

#include "base/text.h"
#include "watch/watched_run.h"

typedef struct ag_output_report {
  unsigned count;
  const char *kind; /* of the first output that has bad values: "NaN" */
  size_t output;
  ag_text lines, findings; /* findings: a list of JSON objects, of a capsule */
} ag_output_report;

/* Adds an output that has bad values. */
void ag_output_report_add(ag_output_report *report, const ag_watched_run *r, size_t output,
                          const ag_stats *stats);

/* Writes the report, with a capsule where one is due, and frees it. False if nothing was added. */
bool ag_output_report_end(ag_output_report *report, const ag_watched_run *r);

#endif
