/* signal_report.h - what a diagnosis says of a signal that came in a run: where the run was then,
 * and whether it was the run's own thread that got it.
 */
#ifndef GEN_SIGNAL_REPORT_H
#define GEN_SIGNAL_REPORT_H

#include "run/event_log.h"

/* "SIGSEGV in run 1, launch 3: KERNEL". */
const char *signal_report_what(const event *x, arena *a);

/* What ties it to the launch, and what does not. */
const char *signal_report_why(const event *x);

#endif
