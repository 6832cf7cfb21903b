/* device_error.h - a device's context was lost: which launch it was, found out from the memory of
 * the host alone.
 *
 * A stream runs its launches one after the other, so the first that is not known to have ended is
 * the one that failed; with several streams, or threads that share one, it is one of those, one for
 * each thread's part of each stream.
 */
#ifndef AOTIGEN_DEVICE_ERROR_H
#define AOTIGEN_DEVICE_ERROR_H

#include "launch/async_run.h"

/* Makes the report and writes it to stderr and the log, once a device; later calls, and those
 * meanwhile, get the same text. For a device that has a sticky error. Not with an async run's
 * `eval_lock` held. */
const char *ag_device_error_report(const ag_async *async, int32_t device_index);

/* Was it made; was any. */
bool ag_device_error_reported(int32_t device_index);
bool ag_device_error_any(void);

/* Makes or finds the report, and returns what the run is to throw; NULL where faults are only
 * reported: torch will meet the error itself. */
const char *ag_device_error_fault(aotigen_run *run, int32_t device_index);

/* The same where the run's device is known to be lost; else NULL. From then on the device is asked
 * nothing. */
const char *ag_device_error_of_run(aotigen_run *run);

/* A run that waits for its launches has written a report of its own: `report` is copied, the first
 * of each device, and a core dump is waited for at exit. And that report, which stays valid; NULL
 * where there is none. */
void ag_device_error_note(int32_t device_index, const char *report);
const char *ag_device_error_noted(int32_t device_index);

#endif
