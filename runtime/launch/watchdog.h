/* watchdog.h - a thread that reports launches that do not end: AOTIGEN_WATCHDOG. Inside the library
 * only.
 *
 * It reads the table of runs (in_flight.h) for threads that make no progress, and the records of
 * async runs for launches that the device does not end, which explain why their thread waits. It
 * calls no driver, and waits for no lock whose holder may wait for something else. Its clock is
 * the time that it saw pass itself: while the process is stopped it stands still. A child of fork()
 * has no such thread.
 */
#ifndef AOTIGEN_WATCHDOG_H
#define AOTIGEN_WATCHDOG_H

/* When a run has been put into the table, and the setting is given: begins the thread where it is
 * not there. */
void ag_watchdog_begin(void);

/* When a model was deleted: ends the thread where nothing is in flight and no graph was captured.
 * Its library may stay. Waits for two seconds at most. */
void ag_watchdog_rest(void);

#endif
