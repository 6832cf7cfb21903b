/* diagnosis.h - AOTIGEN_ON_FAULT=diagnose: `aotigen replay` of a finding's capsule, in another
 * process of low priority, while the host goes on. Inside the library only.
 *
 * There is one at a time, and one a minute, in a process with all of its watched models. */
#ifndef AOTIGEN_DIAGNOSIS_H
#define AOTIGEN_DIAGNOSIS_H

#include <stdbool.h>

/* True if there are to be any: then the library's own thread calls the functions below. */
bool ag_diagnosis_wanted(void);

/* Asks for that of a capsule that was written, unless another one is too near. Any thread may
 * call. */
void ag_diagnosis_ask(const char *capsule);

/* Starts what was asked for, and tells what came of it. True while there is some. */
bool ag_diagnosis_step(void);

/* Ends what is going on, and says so. */
void ag_diagnosis_stop(void);

#endif
