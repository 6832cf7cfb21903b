/* origin_path.h - through which launches a bad value went. Part of the NaN assert. */
#ifndef AOTIGEN_ORIGIN_PATH_H
#define AOTIGEN_ORIGIN_PATH_H

#include "state/evaluation.h"

/* Does argument `a` hold a value of this kind that the launch read, and did not make itself. */
static inline bool ag_origin_is_passed(const ag_arg *a, unsigned kind) {
  return a->left.bad & kind & ~(unsigned)a->own;
}

/* After a launch: adds it to the paths of the values that it passed on. It is one step of an
 * origin's path, which is named after an output that surely has the value from there, if any has;
 * another output is named beside it where it may be of another origin. */
void ag_origin_add_steps(ag_evaluation *e);

/* At the end of a run: reports the path of each origin that was passed on. */
void ag_origin_report_paths(ag_evaluation *e);

#endif
