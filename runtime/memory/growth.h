/* growth.h - memory that grows from run to run: buffers that are still held when their run is over;
 * and how any growth is reported. Inside the library only. */
#ifndef AOTIGEN_GROWTH_H
#define AOTIGEN_GROWTH_H

#include "state/buffers.h"
#include "state/run_state.h"

/* Over how many runs something grows before it is reported. */
enum { AG_GROWTH_RUNS = 16 };

/* The run is over: reports, once, each row of buffers of which more and more are held. */
void ag_growth_end_run(aotigen_run *run);

/* Reports a buffer that stays. how: "allocated at model.cpp:12"; is_made: the first of those that
 * may keep it made it, the others were given it. */
void ag_growth_report(aotigen_run *run, const char *name, const char *how,
                      const ag_buffers_held *held, bool is_made);

/* Ends a report of growth: what to do, and the event. of: a buffer or an operator; by: who may keep
 * it. */
void ag_growth_end_report(aotigen_run *run, const char *of, size_t bytes, const ag_given_to *by);

#endif
