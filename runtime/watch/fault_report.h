/* fault_report.h - the report of a watched run that a fault ended. Inside the library only. */
#ifndef AOTIGEN_FAULT_REPORT_H
#define AOTIGEN_FAULT_REPORT_H

#include "watch/output_report.h"

/* "exception", "device error", "SIGSEGV". */
const char *ag_fault_name(const ag_watched_run *r);

/* What was said of a fault, as one line of bounded length. said: may be NULL. */
void ag_fault_error_set(ag_text *t, const char *said);

/* Adds the fault of the run: it is over, and nothing is bad in its outputs. */
void ag_fault_report_add(ag_output_report *report, const ag_watched_run *r);

#endif
