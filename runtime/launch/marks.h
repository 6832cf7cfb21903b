/* marks.h - how it is known that a launch of an async run is over. Inside the library only.
 *
 * A launch whose outputs are scanned is over when the results are there. Another one needs a mark,
 * which the stream writes behind it, and which keeps the device from starting the next kernel
 * early. So not each has one: a launch of which nothing is to be evaluated may be *untold*, up to
 * AOTIGEN_MARKS of them in a row. The next mark or scan of the stream tells that they are over. If
 * the device is lost before, each of them is a suspect.
 *
 * No thread waits for an untold launch: one that waits calls ag_marks_tell() first. */
#ifndef AOTIGEN_MARKS_H
#define AOTIGEN_MARKS_H

#include "launch/async_run.h"

/* The launch was made: has its end marked if it must be, and lets the evaluator take the record.
 * Returns the device's sticky error, or NULL. The run's thread. */
const char *ag_marks_launched(aotigen_run *run);
/* The device was given a batch of that record: when it is done, the untold launches are over. */
void ag_marks_scanned(ag_async_run *d, const ag_record *record, const ag_scan_batch *batch);
/* Has the last untold launch marked. The run's thread. */
void ag_marks_tell(ag_async_run *d);

/* True if there ever was a launch whose end could not be marked: it counts as ended. */
bool ag_marks_refused(void);

/* True if the launch is known to have ended. */
bool ag_record_is_over(const ag_async_run *d, const ag_record *record);
/* True if it is known what will tell that the launch has ended. */
bool ag_record_is_told(const ag_record *record);

#endif
