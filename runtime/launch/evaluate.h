/* evaluate.h - the evaluation of one launch: the hooks of values (state/launch_hooks.h), in the
 * order of their table. Inside the library only.
 *
 * They are the same for a launch that is evaluated at once and for one whose results arrived later.
 */
#ifndef AOTIGEN_EVALUATE_H
#define AOTIGEN_EVALUATE_H

#include "state/evaluation.h"

/* Sets the record to evaluate next; its arguments are as they were bound. */
void ag_evaluate_begin(ag_evaluation *e, ag_record *record);
/* Report on the launch: before it, and after it. */
void ag_evaluate_before(ag_evaluation *e);
void ag_evaluate_after(ag_evaluation *e);

/* Prints the model's inputs; the record's site is AG_NO_SITE. */
void ag_evaluate_inputs(ag_evaluation *e);

/* Ends the evaluation of the run, after that of every launch. */
void ag_evaluate_end(ag_evaluation *e);

#endif
