/* elements.h - the elements of a tensor as bytes, one after the other in the order of its indices.
 */
#ifndef HOST_ELEMENTS_H
#define HOST_ELEMENTS_H

#include "host/archive.h"
#include "host/request.h"
#include "host/torch.h"

typedef struct elements {
  char dtype[40];
  int32_t number; /* torch's, of the dtype */
  int64_t size;   /* of one, in bytes */
  int64_t ndim, sizes[REQUEST_DIMENSIONS], numel;
  char *bytes;
} elements;

/* The capsule's, of the member that has them. NULL, or why they cannot be had. */
const char *elements_read(elements *e, const request_tensor *t, archive_bytes capsule);

/* Those of a tensor of torch's, wherever it is: torch copies them, and waits. */
const char *elements_fetch(elements *e, torch_tensor from);

/* A new tensor of these values, on a device, with these strides. NULL, or why. */
const char *elements_lay(const elements *e, const int64_t *strides, int32_t device_type,
                         int32_t device_index, torch_tensor *made);

void elements_free(elements *e);

/* "float32 [2, 3]". */
void elements_describe(const char *dtype, const int64_t *sizes, int64_t ndim, char *to, size_t n);

/* What differs; x->equal where nothing does. */
void elements_compare(answer_output *x, const elements *now, const elements *kept);

/* As Python writes the value; "" where torch has none. */
void elements_value(const elements *e, int64_t at, char *to, size_t n);

#endif
