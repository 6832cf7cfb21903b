/* torch.h - the functions of torch's stable C ABI that the host calls, found in the torch that is
 * loaded: no header of torch is needed, and one program serves all versions.
 */
#ifndef HOST_TORCH_H
#define HOST_TORCH_H

#include "host/answer.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct AtenTensorOpaque *torch_tensor;

/* name, parameters; each returns 0, or another number where it failed and said why on stderr. */
/* clang-format off */
#define TORCH_EACH(X) \
  X(empty_strided, (int64_t ndim, const int64_t *sizes, const int64_t *strides, int32_t dtype, \
                    int32_t device_type, int32_t device_index, torch_tensor *made)) \
  X(_reinterpret_tensor, (torch_tensor of, int64_t ndim, const int64_t *sizes, \
                          const int64_t *strides, int64_t offset, torch_tensor *made)) \
  X(copy_, (torch_tensor to, torch_tensor from, int32_t non_blocking)) \
  X(delete_tensor_object, (torch_tensor t)) \
  X(get_data_ptr, (torch_tensor t, void **data)) \
  X(get_dim, (torch_tensor t, int64_t *ndim)) \
  X(get_sizes, (torch_tensor t, int64_t **sizes)) \
  X(get_dtype, (torch_tensor t, int32_t *dtype))
/* clang-format on */

typedef struct torch_functions {
#define TORCH_FIELD(name, parameters) int32_t(*name) parameters;
  TORCH_EACH(TORCH_FIELD)
#undef TORCH_FIELD
} torch_functions;

extern torch_functions torch;

/* Loads the libraries of this directory. False with an answer that refuses. */
bool torch_load(const char *directory, answer *to);

/* torch's number of "cpu" or "cuda", or of a dtype; -1 where it has none. */
int32_t torch_device_type(const char *name);
int32_t torch_dtype(const char *name, int32_t number);

/* The stream of that GPU on which torch computes; NULL for its default stream. */
void *torch_stream(int32_t device_index);

/* The number of GPUs that CUDA shows this process. */
int torch_gpus(void);

#endif
