/* crash_thread.h - whether a thread that crashed works for a model. For a signal handler. Inside
 * the library only. */
#ifndef AOTIGEN_CRASH_THREAD_H
#define AOTIGEN_CRASH_THREAD_H

#include "state/in_flight.h"

/* Finds the code of torch's library that lies beside this one, and that of OpenMP. Not in a
 * handler. */
void ag_crash_thread_prepare(void);

/* True if the thread that got the signal is in that code, or was called by it. */
bool ag_crash_thread_is_models(const ag_crash *c);

#endif
