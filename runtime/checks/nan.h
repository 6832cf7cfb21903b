/* nan.h - the NaN assert: what a launch's scan results mean. Inside the library only.
 *
 * What a launch reads is known before it; what it wrote is scanned after it; a bad value was either
 * read, or has its origin in the launch. Elements are scanned once after each write and not again:
 * the evaluation's tables remember what was found. An input is scanned when a launch first reads
 * it, a weight once for each set of weights; a weight that went bad in between is caught when an
 * output is bad, for it still holds then what the launch read.
 */
#ifndef AOTIGEN_NAN_H
#define AOTIGEN_NAN_H

#include "state/evaluation.h"

void ag_nan_before(ag_evaluation *e);
void ag_nan_after(ag_evaluation *e);

#endif
