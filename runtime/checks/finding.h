/* message.h - the parts that every report is made of, and what is done with a report once it is
 * made.
 *
 * A report is several lines: what happened where, then labelled lines. The same facts go to the log
 * as one object.
 */
#ifndef AOTIGEN_MESSAGE_H
#define AOTIGEN_MESSAGE_H

#include "launch/run.h"

/* "aotigen: WHAT in run 1, launch 3: triton_poi_fused_gelu_0", then the site's source nodes, ATen
 * ops and place. */
void ag_report_head(ag_text *t, const aotigen_run *run, const char *what);
void ag_report_site(ag_text *t, const aotigen_run *run);

/* "buf1 (a.weight) (was buf0)" */
void ag_report_arg_name(ag_text *t, const ag_arg *arg);
/* That; of a tensor also a colon, and what it is. */
void ag_report_arg(ag_text *t, const ag_arg *arg);
/* "args[0] (arg0_1)" */
void ag_report_two_names(ag_text *t, const char *python_name, const char *name);

/* An event with what is common to all of a launch; arg may be NULL. Finish with ag_event_end(). */
void ag_event_launch(ag_text *t, const char *event, const aotigen_run *run, const ag_arg *arg);
/* The same for what is no launch's. */
void ag_event_run(ag_text *t, const char *event, const aotigen_run *run);

/* The report is complete: adds the stack where that is asked for and writes it to stderr. */
void ag_report_write(ag_text *report);
/* That, and what to throw: the same text, kept in the run, or NULL where faults are only reported.
 * For faults that throw unless told otherwise. */
const char *ag_report_fault(aotigen_run *run, ag_text *report);

/* A warning of one line. */
void ag_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
