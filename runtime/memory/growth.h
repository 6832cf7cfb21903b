/* growth.h - memory that grows from run to run: buffers that are still held when their run is over;
 * and how any growth is reported. Inside the library only. */
#ifndef AOTIGEN_GROWTH_H
#define AOTIGEN_GROWTH_H

#include "state/buffers.h"
#include "state/run_state.h"

/* The number of runs for which something must grow before it is reported. */
enum { AG_GROWTH_RUNS = 16 };

/* The run is over: reports, once, each entry of which more and more buffers are retained. */
void ag_growth_end_run(aotigen_run *run);

/* Reports a buffer that is retained. how: "allocated at model.cpp:12"; is_made: the first operator
 * that may retain it made it, and the others were given it. */
void ag_growth_report(aotigen_run *run, const char *name, const char *how,
                      const ag_buffers_held *held, bool is_made);

/* Ends a report of growth with advice and the event. of: a buffer or an operator; by: the operators
 * that may retain it. */
void ag_growth_end_report(aotigen_run *run, const char *of, size_t bytes, const ag_given_to *by);

#endif
