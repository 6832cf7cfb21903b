/* argument.h - describes an argument of a launch in words. Inside the library only. */
#ifndef AOTIGEN_EXPLAIN_ARGUMENT_H
#define AOTIGEN_EXPLAIN_ARGUMENT_H

#include "state/launch.h"

/* "arg1_1 (args[0])" */
void ag_argument_add_name(ag_text *t, const aotigen_param *p);

/* "WHAT triton_0 (model.cpp:97)": a site, which the tables name by its row, from 1. */
void ag_argument_add_place(ag_text *t, const char *what, const aotigen_model *m, uint32_t row);

/* "made by ...", "written by ...": the launch that wrote the elements; or "an input of the model",
 * "a weight of the model". */
void ag_argument_add_writer(ag_text *t, const aotigen_model *m, const aotigen_param *p);

#endif
