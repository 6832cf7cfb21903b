/* input_sizes.h - the sizes of the run's inputs, which decide those of outputs where the exported
 * program gives a size as an expression of its symbols. Inside the library only. */
#ifndef AOTIGEN_INPUT_SIZES_H
#define AOTIGEN_INPUT_SIZES_H

#include "state/run_state.h"

/* Keeps the sizes of the run's next input. view: it, as it was given. */
void ag_input_sizes_add(aotigen_run_state *s, const ag_view *view);

/* False where two dimensions of one symbol have different sizes, which the inputs' check tells:
 * then none of them decides anything. */
bool ag_input_sizes_agree(const aotigen_run_state *s, const aotigen_model *m);

/* The result of the text that *text begins with, as `sizes_of` has them; *text moves past it. False
 * where it has none. */
bool ag_input_sizes_take(const aotigen_run_state *s, const char **text, int64_t *result);

#endif
