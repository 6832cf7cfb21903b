/* hang_report.h - the watchdog's reports of a launch that does not end, and of a thread that makes
 * no progress. Inside the library only.
 */
#ifndef AOTIGEN_HANG_REPORT_H
#define AOTIGEN_HANG_REPORT_H

#include "launch/suspect.h"
#include "state/entries.h"
#include "state/in_flight.h"

/* Reports a launch that the device has not ended for so many microseconds. The first is called with
 * the async run's `eval_lock`, the second, which also writes to the log, without. */
void ag_hang_add_launch(ag_text *t, const ag_suspect *s, int64_t us);
void ag_hang_write_launch(ag_text *t, const ag_suspect *s, int64_t us);

/* Reports a thread that makes no progress in its run. Writes nothing if it has made some by
 * then. */
void ag_hang_report_thread(int place, const ag_in_flight_seen *seen, int64_t us);

/* The run for which a thread waits. */
typedef struct ag_hang_holder {
  long thread;
  uint64_t run;
} ag_hang_holder;

/* Reports a thread that has not begun a run while another one's run hangs. Writes nothing if it has
 * begun by then. */
void ag_hang_report_entry(int place, const ag_entry_seen *seen, const ag_hang_holder *holder,
                          int64_t us);

#endif
