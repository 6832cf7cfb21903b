/* saved_weights.h - the files of a model's weights, which are saved once. Inside the library only.
 *
 * A weight that nothing may have written since its file was handed in need not be read again. That
 * is known of the weights that the model was loaded with, as long as no launch of the model may
 * write to a weight or writes to an input, none is left out, and the host has neither updated nor
 * been given any of them. What a faulty kernel writes beside its arguments is not known: in runs
 * whose number is a power of two each weight is read and compared. */
#ifndef AOTIGEN_SAVED_WEIGHTS_H
#define AOTIGEN_SAVED_WEIGHTS_H

#include "output/saved_file.h"
#include "state/launch.h"
#include "state/model_state.h"

/* True if the launch's argument is such a weight, or a view of one. weights: the run's. */
bool ag_saved_weights_take(const ag_model_state *m, const ag_arg *a, const ag_ranges *weights);

/* A launch may have written the view, which is not named as a weight. */
void ag_saved_weights_write(ag_model_state *m, const ag_view *view);

/* Its file, with a reference of the caller's, or NULL: it has to be read. */
ag_saved_file *ag_saved_weights_find(ag_model_state *m, uint64_t run, const ag_view *view);

/* Its file, perhaps still to be written, from now on. */
void ag_saved_weights_keep(ag_model_state *m, const ag_view *view, ag_saved_file *file);

#endif
