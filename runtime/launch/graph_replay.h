/* graph_replay.h - the launches of a captured graph, evaluated for each replay. Inside the library
 * only.
 *
 * A replay is a run of its own, with a number of its own. It begins with what was known of inputs
 * and weights when the run was captured, since its plan took what it read for clean. */
#ifndef AOTIGEN_GRAPH_REPLAY_H
#define AOTIGEN_GRAPH_REPLAY_H

#include "launch/async_run.h"

/* The captured run is over. Stores what each replay begins with. False if the graph is not scanned,
 * which was reported. */
bool ag_graph_replay_add(aotigen_run *run, bool unwinding);

/* Evaluates a replay whose results have arrived. False if there is none. The caller holds
 * `eval_lock`. */
bool ag_graph_replay_step(ag_async_run *d);
/* The device was lost: evaluates what has arrived of the replay in flight. */
void ag_graph_replay_cut(ag_async_run *d);

#endif
