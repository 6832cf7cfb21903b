/* device_report.h - the report of a GPU's error if the driver wrote a core dump, or was to write
 * one. The dump names the kernel, its block, thread and line; the models' lists have the kernel's
 * launches.
 */
#ifndef GEN_DEVICE_REPORT_H
#define GEN_DEVICE_REPORT_H

#include "run/diagnosis.h"
#include "run/screen.h"

/* True if the event may belong to a later launch: while the driver writes a core dump, launches
 * behind the one that failed end. */
bool device_report_is_late(const evidence *e, const event *x);

/* Prints what happened, and where, for such an event. */
void device_report_say_late(screen *s, const evidence *e, const event *x);

/* Prints what the dump has. alone: no event has the error. */
void device_report_say_core(screen *s, const evidence *e, bool alone);

/* The reason for the report of such an event, or of a dump alone. */
const char *device_report_explain_late(const evidence *e);
const char *device_report_explain_alone(const evidence *e, arena *a);

/* True if the dump determines the launch. */
bool device_report_knows_launch(const evidence *e, const event *x, arena *a);

#endif
