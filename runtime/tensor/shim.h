/* shim.h - torch's C shim, as much of it as the runtime calls.
 *
 * Prototypes of our own, since torch's header is C++; a C++ test compiles both together, so they
 * cannot drift apart. Every use goes through AOTIGEN_SHIM(), for a symbol prefix is coming to that
 * ABI. Functions that some torch from 2.6 on lacks are weak: test the address before calling.
 *
 * A function that fails returns nonzero and has torch print the reason on stderr; so the runtime
 * asks only for what can be answered (see tensor.c for what an undefined or opaque tensor refuses).
 */
#ifndef AOTIGEN_SHIM_H
#define AOTIGEN_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AOTIGEN_SHIM(name) aoti_torch_##name
#define AG_WEAK __attribute__((weak))

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AtenTensorOpaque *AtenTensorHandle;

/* In all of 2.6 to 2.15. What is pointed at by sizes and strides is the tensor's own. */
int32_t AOTIGEN_SHIM(get_data_ptr)(AtenTensorHandle tensor, void **ret);
int32_t AOTIGEN_SHIM(get_sizes)(AtenTensorHandle tensor, int64_t **ret);
int32_t AOTIGEN_SHIM(get_strides)(AtenTensorHandle tensor, int64_t **ret);
int32_t AOTIGEN_SHIM(get_dim)(AtenTensorHandle tensor, int64_t *ret);
int32_t AOTIGEN_SHIM(get_storage_offset)(AtenTensorHandle tensor, int64_t *ret);
int32_t AOTIGEN_SHIM(get_storage_size)(AtenTensorHandle tensor, int64_t *ret);
int32_t AOTIGEN_SHIM(get_dtype)(AtenTensorHandle tensor, int32_t *ret);
int32_t AOTIGEN_SHIM(get_device_type)(AtenTensorHandle tensor, int32_t *ret);
int32_t AOTIGEN_SHIM(get_device_index)(AtenTensorHandle tensor, int32_t *ret);
int32_t AOTIGEN_SHIM(delete_tensor_object)(AtenTensorHandle tensor);
int32_t AOTIGEN_SHIM(device_type_cpu)(void);

/* Only where a device has no backend of ours: a host copy, made by torch. Weak, for a runtime
 * without it does without. */
AG_WEAK int32_t AOTIGEN_SHIM(empty_strided)(int64_t ndim, const int64_t *sizes,
                                            const int64_t *strides, int32_t dtype,
                                            int32_t device_type, int32_t device_index,
                                            AtenTensorHandle *ret);
AG_WEAK int32_t AOTIGEN_SHIM(copy_)(AtenTensorHandle self, AtenTensorHandle src,
                                    int32_t non_blocking);
AG_WEAK int32_t AOTIGEN_SHIM(_reinterpret_tensor)(AtenTensorHandle self, int64_t ndim,
                                                  const int64_t *sizes, const int64_t *strides,
                                                  int64_t storage_offset, AtenTensorHandle *ret);

/* 2.11 on, at the latest. */
AG_WEAK int32_t AOTIGEN_SHIM(is_defined)(AtenTensorHandle tensor, bool *ret);
AG_WEAK int32_t AOTIGEN_SHIM(get_layout)(AtenTensorHandle tensor, int32_t *ret);
AG_WEAK int32_t AOTIGEN_SHIM(layout_strided)(void);
/* 2.8 on; it throws C++ exceptions at numbers it does not know, so only its presence is of use
 * here. */
AG_WEAK size_t AOTIGEN_SHIM(dtype_element_size)(int32_t dtype);

AG_WEAK int32_t AOTIGEN_SHIM(device_type_cuda)(void);
AG_WEAK int32_t AOTIGEN_SHIM(device_type_xpu)(void);
AG_WEAK int32_t AOTIGEN_SHIM(device_type_mps)(void);
AG_WEAK int32_t AOTIGEN_SHIM(device_type_meta)(void);
AG_WEAK int32_t AOTIGEN_SHIM(device_type_privateuse1)(void);

#define X(name, ...) AG_WEAK int32_t AOTIGEN_SHIM(dtype_##name)(void);
#include "tensor/dtype.def"
#undef X

#ifdef __cplusplus
}
#endif
#endif
