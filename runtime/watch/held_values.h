/* held_values.h - whether a held input has, when the capsule is written, the values that the run
 * began with: by a hash of them before the run. Inside the library only.
 *
 * Inputs on the host alone are compared. Of a large one an eighth is hashed, as outputs are scanned
 * in pieces: the caller waits for it. */
#ifndef AOTIGEN_HELD_VALUES_H
#define AOTIGEN_HELD_VALUES_H

#include "watch/kept_tensor.h"

/* Of a large tensor on the host one piece of SAMPLE is read in a run, in turns. */
enum { AG_SAMPLED_FROM = 4 << 20, AG_PIECE = 4096, AG_SAMPLE = 8 }; /* bytes, bytes, pieces */

/* Before the run. turn: the run's, the same in both calls. */
void ag_held_values_note(ag_kept_tensor *k, uint64_t turn);

/* Now. True if it was not known until now that they have changed. */
bool ag_held_values_have_changed(ag_kept_tensor *k, uint64_t turn);

/* "unchanged", for capsules; NULL for a tensor that is not held, or not compared. */
const char *ag_held_values_name(const ag_kept_tensor *k);

#endif
