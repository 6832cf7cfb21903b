/* device_error.h - finds the launch in which a device's context was lost, from host memory alone.
 *
 * A stream runs its launches one after another, so the first that is not known to have ended is the
 * one that failed. With several streams, or threads that share one, there is one candidate for each
 * thread's part of each stream. */
#ifndef AOTIGEN_DEVICE_ERROR_H
#define AOTIGEN_DEVICE_ERROR_H

#include "launch/async_run.h"

/* Makes the report and writes it to stderr and the log, once per device; concurrent and later calls
 * get the same text. For a device that has a sticky error. The caller must not hold an async run's
 * `eval_lock`. */
const char *ag_device_error_report(const ag_async *async, int32_t device_index);

/* True if that report was made; or any was. */
bool ag_device_error_reported(int32_t device_index);
bool ag_device_error_any(void);

/* Makes or finds the report. Returns what the run throws; NULL where faults are only reported:
 * torch will meet the error itself. */
const char *ag_device_error_fault(aotigen_run *run, int32_t device_index) AG_COLD;

/* The same if the run's device is known to be lost; else NULL. From then on the device is not
 * queried. */
const char *ag_device_error_of_run(aotigen_run *run);

/* A run that waits for its launches has written a report of its own: copies `report`, the first for
 * each device, and awaits a core dump at exit. ag_device_error_noted() returns that report, which
 * stays valid; NULL if there is none. */
void ag_device_error_note(int32_t device_index, const char *report);
const char *ag_device_error_noted(int32_t device_index);

#endif
