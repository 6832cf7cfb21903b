/* shim.h - the functions of torch's C shim that the runtime calls.
 *
 * Torch's header is C++, so the prototypes are repeated here; a C++ test compiles both together.
 * Every use goes through AOTIGEN_SHIM(), since a later ABI adds a prefix to the symbols. A function
 * that some versions of torch since 2.6 lack is weak: compare its address with NULL before calling.
 *
 * A function that fails returns nonzero, and torch prints the reason on stderr. So the runtime
 * calls only what can succeed; tensor.c knows which calls fail for an undefined or opaque tensor.
 * */
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

/* In torch 2.6 to 2.15. The tensor owns the arrays of sizes and strides. */
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

/* Another handle to the same tensor. */
AG_WEAK int32_t AOTIGEN_SHIM(new_tensor_handle)(AtenTensorHandle tensor, AtenTensorHandle *ret);

/* For torch's copy to the host, on a device without a backend. */
AG_WEAK int32_t AOTIGEN_SHIM(empty_strided)(int64_t ndim, const int64_t *sizes,
                                            const int64_t *strides, int32_t dtype,
                                            int32_t device_type, int32_t device_index,
                                            AtenTensorHandle *ret);
AG_WEAK int32_t AOTIGEN_SHIM(copy_)(AtenTensorHandle self, AtenTensorHandle src,
                                    int32_t non_blocking);
AG_WEAK int32_t AOTIGEN_SHIM(_reinterpret_tensor)(AtenTensorHandle self, int64_t ndim,
                                                  const int64_t *sizes, const int64_t *strides,
                                                  int64_t storage_offset, AtenTensorHandle *ret);

/* c10::UndefinedTensorImpl::_singleton, the implementation of each undefined tensor. A handle is
 * the address of an at::Tensor, which holds only the address of its implementation. */
AG_WEAK extern char ag_undefined_tensor[] __asm__("_ZN3c1019UndefinedTensorImpl10_singletonE");

/* at::_ops::is_neg::call(), at::_ops::is_conj::call(), for a defined tensor: true if its values are
 * those in its memory negated, or conjugated. In torch 2.6 to 2.15. */
AG_WEAK bool ag_torch_is_neg(AtenTensorHandle tensor) __asm__(
    "_ZN2at4_ops6is_neg4callERKNS_6TensorE");
AG_WEAK bool ag_torch_is_conj(AtenTensorHandle tensor) __asm__(
    "_ZN2at4_ops7is_conj4callERKNS_6TensorE");

/* Why the last function of the shim failed in this thread, which may be long ago; "" if none has.
 * In torch 2.13 and later, which no longer write the reason to stderr (torch/csrc/stable/c/shim.h).
 */
AG_WEAK const char *torch_exception_get_what_without_backtrace(void);

/* In torch 2.11 and later. */
AG_WEAK int32_t AOTIGEN_SHIM(is_defined)(AtenTensorHandle tensor, bool *ret);
AG_WEAK int32_t AOTIGEN_SHIM(get_layout)(AtenTensorHandle tensor, int32_t *ret);

/* In torch 2.6 to 2.15: the value that get_layout() returns. */
AG_WEAK int32_t AOTIGEN_SHIM(layout_strided)(void);

/* Since torch 2.9: its version, a byte for each number from the highest. */
AG_WEAK uint64_t AOTIGEN_SHIM(abi_version)(void);
AG_WEAK int32_t AOTIGEN_SHIM(layout_sparse_coo)(void);
AG_WEAK int32_t AOTIGEN_SHIM(layout_sparse_csr)(void);
AG_WEAK int32_t AOTIGEN_SHIM(layout_sparse_csc)(void);
AG_WEAK int32_t AOTIGEN_SHIM(layout_sparse_bsr)(void);
AG_WEAK int32_t AOTIGEN_SHIM(layout_sparse_bsc)(void);
AG_WEAK int32_t AOTIGEN_SHIM(layout__mkldnn)(void);
AG_WEAK int32_t AOTIGEN_SHIM(layout_jagged)(void);

/* In torch 2.8 and later. It throws a C++ exception for an unknown number: only its presence is
 * used. */
AG_WEAK size_t AOTIGEN_SHIM(dtype_element_size)(int32_t dtype);

AG_WEAK int32_t AOTIGEN_SHIM(device_type_cuda)(void);
AG_WEAK int32_t AOTIGEN_SHIM(device_type_xpu)(void);
AG_WEAK int32_t AOTIGEN_SHIM(device_type_mps)(void);
AG_WEAK int32_t AOTIGEN_SHIM(device_type_meta)(void);
AG_WEAK int32_t AOTIGEN_SHIM(device_type_privateuse1)(void);

#define X(name, ...) AG_WEAK int32_t AOTIGEN_SHIM(dtype_##name)(void);
#include "shared/dtypes.def"
#undef X

#ifdef __cplusplus
}
#endif
#endif
