/* nvtx_read_only.h - AOTIGEN_NVTX=1: what a launch only reads is read-only to a tool for as long as
 * the launch takes. Inside the library only.
 *
 * That holds for buffers in memory of which the tool was told (cuda/named_memory.h). The stream is
 * waited for before and behind such a launch, for the tool knows no order but the host's.
 */
#ifndef AOTIGEN_NVTX_READ_ONLY_H
#define AOTIGEN_NVTX_READ_ONLY_H

#include "state/run_state.h"

void ag_nvtx_read_only_begin(aotigen_run *run);
/* Also when an exception ended the run. */
void ag_nvtx_read_only_end(aotigen_run *run);

#endif
