/* report.h - the verb report: a recording of AOTIGEN_RECORD, or two side by side, as a page,
 * as JSON or as text. */
#ifndef GEN_REPORT_H
#define GEN_REPORT_H

#include "base/options.h"

/* Writes it to the output. What cannot be read is an error of STATUS_USAGE. */
void report_write(const options *o, arena *a, diags *d);

#endif
