/* overwritten.h - memory beside a buffer that was written to. Inside the library only. */
#ifndef AOTIGEN_OVERWRITTEN_H
#define AOTIGEN_OVERWRITTEN_H

#include "state/evaluation.h"

/* Reports each red zone of the evaluated record, of those compared before its launch or after it,
 * that does not hold its pattern any more, once. */
void ag_overwritten_check(ag_evaluation *e, enum ag_when when);

#endif
