/* look.h - what is in an argument: looked up at once, planned, or recalled, as the run's mode has
 * it (record.h).
 */
#ifndef AOTIGEN_LOOK_H
#define AOTIGEN_LOOK_H

#include "tensor/reader.h"
#include "launch/run.h"

/* The bad values in `view`, which is the argument's own or, of a slice of a weight, the whole
 * weight. False where it cannot be looked at. In a plan everything that can be is clean. */
bool ag_look(aotigen_run *run, const ag_arg *a, const ag_view *view, enum ag_when when,
             ag_stats *out);

/* A weight that was trusted: in a plan never asked. *late: it is as it is now, long after the
 * launch, for the device was not asked to keep what was in it then. False where it cannot be looked
 * at. */
bool ag_look_again(aotigen_run *run, const ag_arg *a, ag_stats *out, bool *late);

/* Of an argument that the launch read and did not write, after it: all that is to be known of it.
 * In a verdicts there is an answer only where something that the launch wrote was bad. */
bool ag_look_back(aotigen_run *run, const ag_arg *a, ag_stats *out);

/* One element: number `index` of the argument, which in a verdicts must be the first NaN, +Inf or
 * -Inf of it. */
bool ag_element(aotigen_run *run, const ag_arg *a, enum ag_when when, int64_t index,
                unsigned char element[16]);
/* Element `index` of an input beside `first`, the first NaN, +Inf or -Inf of an output. */
bool ag_element_beside(aotigen_run *run, const ag_arg *a, int64_t index, const ag_stats *output,
                       int64_t first, unsigned char element[16]);

/* Everything, and the first `head` and last `tail` elements, for the printer: in a plan asks for
 * it; else opens a reader. */
void ag_plan_contents(aotigen_run *run, const ag_arg *a, enum ag_when when, int16_t head,
                      int16_t tail);
const char *ag_contents_open(ag_reader *r, aotigen_run *run, const ag_arg *a, enum ag_when when);

/* Plans to look back at what the launch read, where its outputs are looked at for something bad. */
void ag_plan_probes(aotigen_run *run);

#endif
