/* stack_text.h - the line of a model in the text of a Python stack, as torch's tracer and Python's
 * traceback write it. */
#ifndef GEN_STACK_TEXT_H
#define GEN_STACK_TEXT_H

#include "model/model.h"

/* Reads the innermost frame outside of torch, whose modules every model calls; the innermost one if
 * all are torch's. False if the text holds no frame. `line` has no module. */
bool stack_text_read(aotigen_line *line, const char *text, arena *a);

/* "encoder.layers.3.mlp" from a node's nn_module_stack; "" for the model itself, and for a text in
 * another form. */
const char *stack_text_module(const char *nn_module_stack, arena *a);

#endif
