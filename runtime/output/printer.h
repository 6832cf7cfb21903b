/* printer.h - levels 2 and 3 of the printer: values and kernel names on stdout. Inside the library
 * only. What they print at a launch are hooks (state/launch_hooks.h). */
#ifndef AOTIGEN_PRINTER_H
#define AOTIGEN_PRINTER_H

#include "state/evaluation.h"

/* Level 2: an input of the model. */
void ag_printer_input(ag_evaluation *e, const aotigen_input *input, const ag_arg *a);

#endif
