/* retained.h - keeps the tensors alive that decide a kernel's asserts and divisors. An exception
 * frees what the wrapper owns before the run's handler learns of it. Inside the library only. */
#ifndef AOTIGEN_RETAINED_H
#define AOTIGEN_RETAINED_H

#include "state/run_state.h"

/* Of the launch that the run's record holds: takes a handle of its own to each such tensor. No
 * element is copied. */
void ag_retained_begin(aotigen_run *run);
/* After the launch, and where the run ends without it. */
void ag_retained_end(aotigen_run_state *s);

#endif
