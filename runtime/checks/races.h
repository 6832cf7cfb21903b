/* races.h - two runs that are under way at the same time on two threads, and use the same input or
 * weight, which one of them writes. Inside the library only.
 *
 * A run cannot wait for another one in between its launches: what two such runs do to one tensor is
 * in no order, whatever came of it this time. On a device, launches on one stream are in order.
 * Launches are noted only while there are two runs, so a run that is alone pays for its begin and
 * end. Memory that a run allocates by itself is another's as soon as it is released, and is not
 * looked at; nor is what a captured graph does when it is replayed. Runs of another library, which
 * has a copy of this one, are not known.
 */
#ifndef AOTIGEN_RACES_H
#define AOTIGEN_RACES_H

#include "state/run_state.h"

typedef struct ag_race_run ag_race_run;

/* At the begin and end of a run, on its thread. NULL where memory ran out: the others take it. */
ag_race_run *ag_races_begin(const aotigen_run *run);
void ag_races_end(ag_race_run *r);

/* The launch in progress, with its arguments bound: reports what it has in common with a launch of
 * another run. NULL, or the message to throw. */
const char *ag_races_check(aotigen_run *run);

#endif
