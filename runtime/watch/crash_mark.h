/* crash_mark.h - AOTIGEN_AFTER_CRASH: what a process that a crash or a device error ends leaves for
 * the next one of the same model. Inside the library only.
 *
 * It is a file beside the capsules, whose name has the hash of the model's '.so', with one line. */
#ifndef AOTIGEN_CRASH_MARK_H
#define AOTIGEN_CRASH_MARK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Finds the file's name. Without it, and where nothing is asked for, the functions below do
 * nothing. */
void ag_crash_mark_prepare(void);

/* thread: that crashed: if it begins another run, the process has survived, and the mark is
 * removed; 0: that means nothing. A signal handler may call. */
void ag_crash_mark_leave(const char *fault, uint64_t run, int thread);

/* A run begins. */
void ag_crash_mark_survive(void);

/* True if there is one, which is told: "SIGSEGV in run 7 of process 71, at 2026-11-30 06:20:01". */
bool ag_crash_mark_find(ag_text *told);

void ag_crash_mark_remove(void);

#endif
