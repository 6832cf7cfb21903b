/* retained.h - keeps the tensors alive that decide a kernel's asserts and divisors. An exception
 * frees what the wrapper owns before the run's handler learns of it. Inside the library only. */
#ifndef AOTIGEN_RETAINED_H
#define AOTIGEN_RETAINED_H

#include "state/run_state.h"

/* Takes a handle of its own to each such tensor of the launch in the run's record. Copies no
 * element. */
void ag_retained_begin(aotigen_run *run);
/* After the launch, or if the run ends without it: releases the handles. */
void ag_retained_end(aotigen_run_state *s);

#endif
