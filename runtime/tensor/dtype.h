/* dtype.h - element types, found by torch's number or name, and what their bits mean.
 *
 * Torch's numbers are read from the loaded torch once, at the first call. All results are static.
 * Any thread may call. The only failure is NULL: a type that aotigen does not know, or that this
 * torch lacks. */
#ifndef AOTIGEN_DTYPE_H
#define AOTIGEN_DTYPE_H

#include "tensor/backend.h"

/* Other names of a type, and DLPack's code for it, -1 if it has none. */
typedef struct ag_spelling {
  int dlpack;
  const char *aten;    /* "Float", as in CPUFloatType */
  const char *printed; /* in torch's printer: "long int" */
  const char *storage; /* the class in a pickle, "FloatStorage"; NULL: the untyped storage */
  const char *numpy;   /* "<f4"; NULL if numpy has no such type */
  const char *cpp;     /* "signed char|char" */
  const char *triton;  /* "fp32"; NULL if Triton has no such type */
} ag_spelling;

const ag_dtype *ag_dtype_of_number(int32_t number);
const ag_dtype *ag_dtype_of_name(const char *name);
/* The C++ type of a class and size, as sizeof gives it: a float of 4 bytes is float32. */
const ag_dtype *ag_dtype_of_arithmetic(enum ag_class cls, int size);
/* Never NULL. dtype: from the functions above. */
const ag_spelling *ag_dtype_spelling(const ag_dtype *dtype);

/* Torch's name of a type, also of one that aotigen does not read: "quint8". NULL for another
 * number. */
const char *ag_dtype_name_of_number(int32_t number);

/* True for a floating or complex type: its elements can be NaN or Inf. False for NULL. */
static inline bool ag_dtype_is_floating(const ag_dtype *d) {
  return d && (d->cls == AG_FLOATING || d->cls == AG_COMPLEX);
}

/* The value of an element; for a complex type, of the part that `element` points to. Integers of
 * more than 53 bits are rounded. */
double ag_dtype_decode(const ag_dtype *dtype, const void *element);

/* Names of c10::DeviceType: "cpu", "cuda", ...; "an unknown device" for any other number. */
const char *ag_device_type_name(int32_t device_type);
/* -1 for an unknown name, or NULL. */
int32_t ag_device_type_of_name(const char *name);

#endif
