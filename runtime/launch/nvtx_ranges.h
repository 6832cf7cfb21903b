/* nvtx_ranges.h - AOTIGEN_NVTX=1: a range of NVTX around each run, and around each launch with its
 * kernel, source nodes and line of the model. Inside the library only. */
#ifndef AOTIGEN_NVTX_RANGES_H
#define AOTIGEN_NVTX_RANGES_H

#include "state/run_state.h"

void ag_nvtx_ranges_begin_run(aotigen_run *run);
/* Ends the range of a launch too that an exception left. */
void ag_nvtx_ranges_end_run(aotigen_run *run);
void ag_nvtx_ranges_begin_launch(aotigen_run *run);
void ag_nvtx_ranges_end_launch(aotigen_run *run);

#endif
