/* watchdog.h - a thread that reports launches that do not end: AOTIGEN_WATCHDOG. Inside the library
 * only.
 *
 * It reads the table of runs (in_flight.h) to find threads that make no progress. It reads the
 * records of async runs to find launches that the device does not end, which explain why their
 * thread waits. It calls no driver, and waits for no lock whose holder may wait for something else.
 * Its clock counts only the time in which it ran: the clock stops while the process is stopped. A
 * child of fork() has no such thread. */
#ifndef AOTIGEN_WATCHDOG_H
#define AOTIGEN_WATCHDOG_H

/* Call it after a run has been put into the table, if the setting is given. Starts the thread if
 * there is none. */
void ag_watchdog_begin(void);

/* Call it after a model was deleted. Ends the thread if nothing is in flight and no graph was
 * captured. The library may stay loaded. Waits for at most two seconds. */
void ag_watchdog_rest(void);

#endif
