/* zones.h - chooses which memory of guarded buffers is compared with the pattern: zones.c. Inside
 * the library only. */
#ifndef AOTIGEN_ZONES_H
#define AOTIGEN_ZONES_H

#include "state/buffers.h"
#include "state/run_state.h"

/* Takes over a buffer of this run after the last tensor over it is gone. The buffer is freed when
 * its red zones were compared and nothing reads it any more. The run is this thread's, in flight.
 */
void ag_zones_take_released(aotigen_run *run, ag_buffer *b);

#endif
