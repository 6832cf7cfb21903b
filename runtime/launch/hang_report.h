/* hang_report.h - what the watchdog says of a launch or a thread that does not get on. Inside the
 * library only.
 */
#ifndef AOTIGEN_HANG_REPORT_H
#define AOTIGEN_HANG_REPORT_H

#include "launch/suspect.h"
#include "state/under_way.h"

/* A launch that the device does not end, for so many microseconds. The first with the async run's
 * `eval_lock` held, the second, which also writes to the log, without. */
void ag_hang_add_launch(ag_text *t, const ag_suspect *s, int64_t us);
void ag_hang_write_launch(ag_text *t, const ag_suspect *s, int64_t us);

/* A thread that does not get on in its run. Says nothing if it has by then. */
void ag_hang_report_thread(int place, const ag_under_way_seen *seen, int64_t us);

#endif
