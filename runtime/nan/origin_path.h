/* origin_path.h - through which launches a bad value went. Part of the NaN assert. */
#ifndef AOTIGEN_ORIGIN_PATH_H
#define AOTIGEN_ORIGIN_PATH_H

#include "state/evaluation.h"

/* True if argument `a` holds a value of this kind that the launch read and did not make itself. */
static inline bool ag_origin_is_passed(const ag_arg *a, unsigned kind) {
  return a->values.left.bad & kind & ~(unsigned)a->values.own;
}

/* After a launch: adds it to the paths of the values that it propagated. An origin's path gets one
 * step. It is named after an output that surely has the value from that origin, if there is one;
 * another output that may have it from another origin is added to it. */
void ag_origin_add_steps(ag_evaluation *e);

/* Adds one such step: to argument `a` of the record, which is argument `param` of e->launch's site.
 */
void ag_origin_add_step(ag_evaluation *e, uint16_t origin, const ag_arg *a, uint16_t param,
                        unsigned kinds, enum ag_certainty certainty);

/* At the end of a run: reports the path of each origin that was propagated. */
void ag_origin_report_paths(ag_evaluation *e);

#endif
