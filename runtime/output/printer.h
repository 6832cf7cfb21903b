/* printer.h - levels 2 and 3 of the printer: values and kernel names on stdout. Inside the library
 * only.
 */
#ifndef AOTIGEN_PRINTER_H
#define AOTIGEN_PRINTER_H

#include "state/evaluation.h"

/* Level 3. */
void ag_printer_name(const ag_launch *l, enum ag_when when, ag_text *scratch);

/* Level 2: the arguments of the launch, and an input of the model. */
void ag_printer_launch(ag_evaluation *e, enum ag_when when);
void ag_printer_input(ag_evaluation *e, const aotigen_input *input, const ag_arg *a);

/* What level 2 will need of an argument: is it shown, and which elements are, first and last. */
bool ag_printer_shows(const ag_arg *a, enum ag_when when);
void ag_printer_edges(const ag_view *v, int16_t *head, int16_t *tail);

#endif
