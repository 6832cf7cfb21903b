/* signal_report.h - the part of a diagnosis about a signal during a run: where the run was, and
 * whether the run's own thread got the signal.
 */
#ifndef GEN_SIGNAL_REPORT_H
#define GEN_SIGNAL_REPORT_H

#include "run/event_log.h"

/* "SIGSEGV in run 1, launch 3: KERNEL". */
const char *signal_report_what(const event *x, arena *a);

/* The evidence for and against the launch as the cause. */
const char *signal_report_why(const event *x);

#endif
