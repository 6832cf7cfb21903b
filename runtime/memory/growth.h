/* growth.h - memory that grows from run to run: buffers that are still held when their run is over.
 * Inside the library only. */
#ifndef AOTIGEN_GROWTH_H
#define AOTIGEN_GROWTH_H

#include "state/run_state.h"

/* Over how many runs something grows before it is reported. */
enum { AG_GROWTH_RUNS = 16 };

/* The run is over: reports, once, each row of buffers of which more and more are held. */
void ag_growth_end_run(aotigen_run *run);

/* The event of it. of: a buffer or an operator; launch: the last that had it, 0 where none did. */
void ag_growth_log(const aotigen_run *run, const char *of, size_t bytes, uint64_t launch,
                   uint32_t site);

#endif
