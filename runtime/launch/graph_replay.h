/* graph_replay.h - the launches of a captured graph, evaluated for each replay. Inside the library
 * only.
 *
 * A replay is a run of its own, with a number of its own. It begins with what was known of inputs
 * and weights when the run was captured: its plan took what it read for clean.
 */
#ifndef AOTIGEN_GRAPH_REPLAY_H
#define AOTIGEN_GRAPH_REPLAY_H

#include "launch/async_run.h"

/* The run that was captured is over. Keeps what each replay begins with; false where the graph is
 * not scanned, which was said. */
bool ag_graph_replay_add(aotigen_run *run, bool unwinding);

/* With `eval_lock` held: evaluates a replay whose results have arrived. False where there is none.
 */
bool ag_graph_replay_step(ag_async_run *d);
/* The device was lost: evaluates what is there of the replay that was in flight. */
void ag_graph_replay_cut(ag_async_run *d);

#endif
