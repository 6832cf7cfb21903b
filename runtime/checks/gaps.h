/* gaps.h - a tensor with gaps between its elements, or whose elements share memory, that a kernel
 * reads as a row of elements. An operator made it with other strides than the model was compiled
 * for. Inside the library only.
 */
#ifndef AOTIGEN_GAPS_H
#define AOTIGEN_GAPS_H

#include "checks/finding.h"
#include "state/launch_record.h"

/* Checks an output of the run's launch: adds a violation if a later kernel's text says that it
 * reads as many elements as the tensor has, from the first on, one after the other. */
void ag_gaps_check_output(const aotigen_run *run, ag_finding *f, const ag_item *item);

/* The same of an argument of a kernel, where it is what an operator made. */
void ag_gaps_check_argument(ag_finding *f, const ag_record *record, const ag_arg *a);

#endif
