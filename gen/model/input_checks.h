/* input_checks.h - what a wrapper says of its inputs' dtypes, devices, sizes and strides: in the
 * checks that torch 2.7 and later emit (check_input_N, __check_inputs_outputs, assert_size_stride),
 * and where it reads a symbol off a size. */
#ifndef GEN_INPUT_CHECKS_H
#define GEN_INPUT_CHECKS_H

#include "model/model.h"

/* Completes the inputs of `m`, whose names are known. */
void input_checks_read(model *m, arena *a);

#endif
