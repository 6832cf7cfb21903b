/* aten_print.h - the elements of a small tensor as ATen's operator<< writes them. */
#ifndef AOTIGEN_ATEN_PRINT_H
#define AOTIGEN_ATEN_PRINT_H

#include "tensor/tensor.h"

/* Ends with the line "[ CPUFloatType{6,6} ]". values: the view->t.numel logical elements, in
 * row-major order; for a complex tensor the real parts, which are all that ATen prints. */
void ag_aten_print_elements(ag_text *t, const ag_view *view, const double *values);

#endif
