/* list_values.h - for list.h: what a call by torch's proxy executor passes to its op besides the
 * tensors. */
#ifndef GEN_MODEL_LIST_VALUES_H
#define GEN_MODEL_LIST_VALUES_H

#include "model/custom_ops.h"
#include <cjson/cJSON.h>
#include <stdio.h>

/* Adds "values": [{"name", "value"}], the value as custom_texts.h has it. */
void list_add_values(cJSON *to, const custom_op *op);

/* A line for each. */
void list_print_values(FILE *to, const custom_op *op, arena *a);

#endif
