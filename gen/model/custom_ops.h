/* custom_ops.h - the custom ops that a wrapper calls through torch's proxy executor, by their
 * number: wrapper.json, which torch writes beside the wrapper, has their names. */
#ifndef GEN_CUSTOM_OPS_H
#define GEN_CUSTOM_OPS_H

#include "model/model.h"

/* A value that is passed to an op, or a result of it. */
typedef struct custom_value {
  const char *name; /* of the schema's argument; "" of a result */
  const char *kind; /* of the value: "as_tensor", "as_float" */
  int tensors;      /* how many of the call's arguments it is */
} custom_value;

typedef struct custom_values {
  custom_value *at;
  size_t n, cap;
} custom_values;

typedef struct custom_op {
  const char *target; /* as torch names the op: "lab::rows", "aten::add.Tensor". A file may hold any
                         other text, or none: "" */
  custom_values inputs, outputs;
  int tensors_in, tensors_out; /* of all of them */
} custom_op;

typedef struct custom_ops {
  custom_op *at;
  size_t n, cap;
} custom_ops;

/* Reads wrapper.json; no ops where there is no such file. One that cannot be read is an error in
 * `d` where the user named it or a package holds it, else a warning. */
void custom_ops_read(custom_ops *ops, const companion_texts *beside, arena *a, diags *d);

/* The op that a call of the proxy executor asks for, or NULL where it is not known. */
const custom_op *custom_ops_called(const custom_ops *ops, const facts *f, const fact_call *c);

#endif
