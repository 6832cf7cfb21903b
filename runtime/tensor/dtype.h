/* dtype.h - the element types by torch's number and by torch's name.
 *
 * Numbers are asked of the torch that is loaded, once, at the first call. Everything here may be
 * called from any thread and nothing fails but by returning NULL: a type that is unknown to us, or
 * that this torch does not have.
 */
#ifndef AOTIGEN_DTYPE_H
#define AOTIGEN_DTYPE_H

#include "tensor/backend.h"

/* How others spell a type; see dtype.def. */
typedef struct ag_spelling {
  const char *aten;    /* "Float", as in CPUFloatType */
  const char *printed; /* as torch's printer says it */
  const char *storage; /* "FloatStorage", or NULL */
  const char *numpy;   /* "<f4", or NULL */
} ag_spelling;

const ag_dtype *ag_dtype_of_number(int32_t number);
const ag_dtype *ag_dtype_of_name(const char *name);
/* dtype: one that the functions above returned. */
const ag_spelling *ag_dtype_spelling(const ag_dtype *dtype);

/* May an element be NaN or Inf: a floating or complex type. NULL may be given. */
static inline bool ag_dtype_floats(const ag_dtype *d) {
  return d && (d->cls == AG_FLOATING || d->cls == AG_COMPLEX);
}

/* The value of one floating element (of one part of a complex one), or of an integer where a double
 * holds it. */
double ag_dtype_value(const ag_dtype *dtype, const void *element);

/* "cpu", "cuda", ... for a c10::DeviceType, "device 77" where it is unknown; -1 for an unknown
 * name. */
const char *ag_device_name(int32_t device_type);
int32_t ag_device_type(const char *name);

#endif
