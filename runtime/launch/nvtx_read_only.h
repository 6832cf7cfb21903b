/* nvtx_read_only.h - AOTIGEN_NVTX=1: what a launch only reads is read-only to a tool for as long as
 * the launch takes. Inside the library only.
 *
 * That holds for buffers in memory that the tool knows (cuda/named_memory.h). The host waits for
 * the stream before and behind such a launch: a tool orders these calls as the host makes them.
 */
#ifndef AOTIGEN_NVTX_READ_ONLY_H
#define AOTIGEN_NVTX_READ_ONLY_H

#include "state/run_state.h"

void ag_nvtx_read_only_begin(aotigen_run *run);
/* Also when an exception ended the run. */
void ag_nvtx_read_only_end(aotigen_run *run);

#endif
