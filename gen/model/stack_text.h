/* stack_text.h - the line of a model in the text of a Python stack, as torch's tracer and Python's
 * traceback write it. */
#ifndef GEN_STACK_TEXT_H
#define GEN_STACK_TEXT_H

#include "model/model.h"

/* The innermost frame that is not of torch itself, whose modules every model calls; the innermost
 * one where all are torch's. False where the text holds no frame. `line` has no module. */
bool stack_text_read(aotigen_line *line, const char *text, arena *a);

/* "encoder.layers.3.mlp" of a node's nn_module_stack; "" of the model itself, and of a text of
 * another form. */
const char *stack_text_module(const char *nn_module_stack, arena *a);

#endif
