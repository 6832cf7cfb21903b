/* origin_path.h - through which launches a bad value went. Part of the NaN assert. */
#ifndef AOTIGEN_ORIGIN_PATH_H
#define AOTIGEN_ORIGIN_PATH_H

#include "state/evaluation.h"

/* The launch read a value of this origin and wrote `kinds` to argument number `param`, perhaps of
 * another origin. A launch is one step of an origin's path, and the first output that is given here
 * names it; another one is named beside it where it may be of another origin. */
void ag_origin_passed(ag_evaluation *e, uint16_t origin, uint16_t param, unsigned kinds,
                      enum ag_doubt doubt);

/* At the end of a run: reports the path of each origin that was passed on. */
void ag_origin_report_paths(ag_evaluation *e);

#endif
