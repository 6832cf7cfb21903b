/* model_lines.h - the lines of the model's own source that a launch computes, for a report and for
 * the log. Inside the library only. */
#ifndef AOTIGEN_MODEL_LINES_H
#define AOTIGEN_MODEL_LINES_H

#include "shared/wrapper/aotigen.h"
#include "base/text.h"

/* "  model line    model.py:14  b = torch.log(x - y)  (encoder.layers.3.mlp)" for each of the first
 * lines; the text of a line that the table has not is read from its file, where that is there. The
 * first site of the process without lines, of a model without any, has a line that says how to get
 * them. */
void ag_model_lines_report(ag_text *t, const aotigen_model *m, const aotigen_site *s);

/* Adds the field "model_lines" to an event; nothing where none are known. */
void ag_model_lines_event(ag_text *t, const aotigen_site *s);

#endif
