/* bind.h - decides whether a launch is checked, and binds its arguments to its record. Inside the
 * library only. */
#ifndef AOTIGEN_BIND_H
#define AOTIGEN_BIND_H

#include "state/run_state.h"

/* True if AOTIGEN_LAUNCHES excludes the launch, or it cannot be scanned: its stream is being
 * captured and its run is not, or the reverse. It is counted all the same. */
bool ag_bind_leaves_out(aotigen_run *run, const ag_launch *l, const aotigen_value *values,
                        size_t n);

/* Makes the launch's record, which becomes the run's, and binds the values to it as far as a level
 * needs them. Publishes it in an async run. False if there is no room. */
bool ag_bind_args(aotigen_run *run, const ag_launch *l, const aotigen_value *values, size_t n);

/* After the call: binds `late`, the values that the call made, and again those that it may have
 * resized or moved. */
void ag_bind_again(aotigen_run *run, const aotigen_value *late, size_t n);

/* A record that is evaluated later stores both views of an argument that differ: `before`, and the
 * argument's own, which is that after the launch. Does nothing to another record. */
void ag_bind_keep_views(ag_record *record, ag_arg *a, const ag_view *before);

#endif
