/* custom_ops.h - the custom ops that a wrapper calls through torch's proxy executor, by their
 * number. Their names are in wrapper.json, which torch writes next to the wrapper. */
#ifndef GEN_CUSTOM_OPS_H
#define GEN_CUSTOM_OPS_H

#include "model/model.h"

/* A value that is passed to an op, or a result of it. */
typedef struct custom_value {
  const char *name; /* the name of the schema's argument; "" for a result */
  const char *kind; /* the kind of its value: "as_tensor", "as_float" */
  int tensors;      /* the number of the call's arguments that it stands for */
  const char *text; /* "[2, 3]": custom_texts.h; NULL for a tensor and for a result */
} custom_value;

typedef arena_list(custom_value) custom_values;

typedef struct custom_op {
  const char *target; /* torch's name: "lab::rows", "aten::add.Tensor"; a file may hold any text */
  custom_values inputs, outputs;
  int tensors_in, tensors_out; /* over all of them */
} custom_op;

typedef arena_list(custom_op) custom_ops;

/* Reads wrapper.json. Without that file there are no ops. A file that cannot be read is an error in
 * `d` if the user named it or a package holds it, else a warning. */
void custom_ops_read(custom_ops *ops, const companion_texts *companions, arena *a, diags *d);

/* The op that a call of the proxy executor names, or NULL if it is not known. */
const custom_op *custom_ops_called(const custom_ops *ops, const facts *f, const fact_call *c);

#endif
