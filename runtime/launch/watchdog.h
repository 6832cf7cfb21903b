/* watchdog.h - a thread that says which launch does not end: AOTIGEN_WATCHDOG. Inside the library
 * only.
 *
 * It looks at the table of runs (under_way.h) for threads that do not get on, and at the records of
 * async runs for launches that the device does not end, which explain why their thread waits. It
 * asks no driver, and waits for no lock that is held while something is waited for. Its clock is
 * the time that it saw pass itself: while the process is stopped it stands still. A child of fork()
 * has no such thread.
 */
#ifndef AOTIGEN_WATCHDOG_H
#define AOTIGEN_WATCHDOG_H

/* Where a run has begun, and the setting is given. */
void ag_watchdog_begin(void);

#endif
