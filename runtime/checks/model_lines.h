/* model_lines.h - the lines of the model's own source that a launch computes, for a report and for
 * the log. Inside the library only. */
#ifndef AOTIGEN_MODEL_LINES_H
#define AOTIGEN_MODEL_LINES_H

#include "state/launch.h"

/* "  model line    model.py:14  b = torch.log(x - y)  (encoder.layers.3.mlp)" for each of the first
 * lines; the text of a line that the table has not is read from its file, where that is there. The
 * first site of the process without lines, of a model without any, has a line that says how to get
 * them. Where the launch says which of them it is about, only these are shown; if they are several,
 * each is called a candidate. */
void ag_model_lines_report(ag_text *t, const ag_launch *l);

/* Adds the field "model_lines" to an event; nothing where none are known. */
void ag_model_lines_event(ag_text *t, const ag_launch *l);

/* Which lines of the site may be that of one operation of its kernel, by its place in the text of
 * the kernel's graph, as bits; -1: the operation is not known. Where nothing is known of it, those
 * that decide the argument that it stores; else all. 0 where the site has none. */
uint64_t ag_model_lines_of(const aotigen_site *s, int32_t operation, size_t argument);

/* Those that look elements up by an index; 0 where none is known. */
uint64_t ag_model_lines_of_lookup(const aotigen_site *s);

#endif
