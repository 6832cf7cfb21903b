/* aten_print.h - the elements of a small tensor as ATen's operator<< writes them. */
#ifndef AOTIGEN_ATEN_PRINT_H
#define AOTIGEN_ATEN_PRINT_H

#include "tensor/tensor.h"

/* values: the logical elements in row-major order, v->t.numel of them; of a complex tensor, the
 * real parts, as ATen does. Ends with the line "[ CPUFloatType{6,6} ]". */
void ag_add_elements(ag_text *t, const ag_view *v, const double *values);

#endif
