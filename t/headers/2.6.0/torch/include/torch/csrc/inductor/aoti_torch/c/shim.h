#pragma once
#include <stddef.h>
#include <stdint.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>
extern "C" {
struct AtenTensorOpaque;
using AtenTensorHandle = AtenTensorOpaque*;
struct AOTIProxyExecutorOpaque;
using AOTIProxyExecutorHandle = AOTIProxyExecutorOpaque*;
using AOTITorchError = int32_t;
__attribute__((__visibility__("default"))) int32_t aoti_torch_device_type_cpu();
__attribute__((__visibility__("default"))) int32_t aoti_torch_device_type_cuda();
__attribute__((__visibility__("default"))) int32_t aoti_torch_device_type_xpu();
__attribute__((__visibility__("default"))) int32_t aoti_torch_device_type_privateuse1();
__attribute__((__visibility__("default"))) int32_t aoti_torch_dtype_float8_e5m2();
__attribute__((__visibility__("default"))) int32_t aoti_torch_dtype_float8_e4m3fn();
__attribute__((__visibility__("default"))) int32_t aoti_torch_dtype_float8_e5m2fnuz();
__attribute__((__visibility__("default"))) int32_t aoti_torch_dtype_float8_e4m3fnuz();
__attribute__((__visibility__("default"))) int32_t aoti_torch_dtype_bfloat16();
__attribute__((__visibility__("default"))) int32_t aoti_torch_dtype_float16();
__attribute__((__visibility__("default"))) int32_t aoti_torch_dtype_float32();
__attribute__((__visibility__("default"))) int32_t aoti_torch_dtype_float64();
__attribute__((__visibility__("default"))) int32_t aoti_torch_dtype_uint8();
__attribute__((__visibility__("default"))) int32_t aoti_torch_dtype_uint16();
__attribute__((__visibility__("default"))) int32_t aoti_torch_dtype_uint32();
__attribute__((__visibility__("default"))) int32_t aoti_torch_dtype_uint64();
__attribute__((__visibility__("default"))) int32_t aoti_torch_dtype_int8();
__attribute__((__visibility__("default"))) int32_t aoti_torch_dtype_int16();
__attribute__((__visibility__("default"))) int32_t aoti_torch_dtype_int32();
__attribute__((__visibility__("default"))) int32_t aoti_torch_dtype_int64();
__attribute__((__visibility__("default"))) int32_t aoti_torch_dtype_bool();
__attribute__((__visibility__("default"))) int32_t aoti_torch_dtype_complex32();
__attribute__((__visibility__("default"))) int32_t aoti_torch_dtype_complex64();
__attribute__((__visibility__("default"))) int32_t aoti_torch_dtype_complex128();
__attribute__((__visibility__("default"))) int32_t aoti_torch_layout_strided();
__attribute__((__visibility__("default"))) int32_t aoti_torch_layout_sparse_coo();
__attribute__((__visibility__("default"))) int32_t aoti_torch_layout_sparse_csr();
__attribute__((__visibility__("default"))) int32_t aoti_torch_layout_sparse_csc();
__attribute__((__visibility__("default"))) int32_t aoti_torch_layout_sparse_bsr();
__attribute__((__visibility__("default"))) int32_t aoti_torch_layout_sparse_bsc();
__attribute__((__visibility__("default"))) int32_t aoti_torch_layout__mkldnn();
__attribute__((__visibility__("default"))) int32_t aoti_torch_layout_jagged();
__attribute__((__visibility__("default"))) AOTITorchError
aoti_torch_item_int64(AtenTensorHandle tensor, int64_t* ret_value);
__attribute__((__visibility__("default"))) AOTITorchError
aoti_torch_item_bool(AtenTensorHandle tensor, bool* ret_value);
__attribute__((__visibility__("default"))) bool aoti_torch_grad_mode_is_enabled();
__attribute__((__visibility__("default"))) void aoti_torch_grad_mode_set_enabled(bool enabled);
__attribute__((__visibility__("default"))) AOTITorchError aoti_torch_get_data_ptr(
AtenTensorHandle tensor,
void** ret_data_ptr
);
__attribute__((__visibility__("default"))) AOTITorchError
aoti_torch_get_dim(AtenTensorHandle tensor, int64_t* ret_dim);
__attribute__((__visibility__("default"))) AOTITorchError
aoti_torch_get_numel(AtenTensorHandle tensor, int64_t* ret_numel);
__attribute__((__visibility__("default"))) AOTITorchError aoti_torch_get_sizes(
AtenTensorHandle tensor,
int64_t** ret_sizes
);
__attribute__((__visibility__("default"))) AOTITorchError aoti_torch_get_strides(
AtenTensorHandle tensor,
int64_t** ret_strides
);
__attribute__((__visibility__("default"))) AOTITorchError
aoti_torch_get_dtype(AtenTensorHandle tensor, int32_t* ret_dtype);
__attribute__((__visibility__("default"))) AOTITorchError
aoti_torch_get_device_type(AtenTensorHandle tensor, int32_t* ret_device_type);
__attribute__((__visibility__("default"))) AOTITorchError
aoti_torch_get_device_index(AtenTensorHandle tensor, int32_t* ret_device_index);
__attribute__((__visibility__("default"))) AOTITorchError aoti_torch_empty_strided(
int64_t ndim,
const int64_t* sizes_ptr,
const int64_t* strides_ptr,
int32_t dtype,
int32_t device_type,
int32_t device_index,
AtenTensorHandle* ret_new_tensor
);
__attribute__((__visibility__("default"))) AOTITorchError
aoti_torch_new_uninitialized_tensor(AtenTensorHandle* ret);
__attribute__((__visibility__("default"))) AOTITorchError
aoti_torch_assign_tensors(AtenTensorHandle src, AtenTensorHandle dst);
__attribute__((__visibility__("default"))) AOTITorchError
aoti_torch_assign_tensors_out(AtenTensorHandle src, AtenTensorHandle* ret_dst);
#ifdef USE_CUDA
struct CUDAGuardOpaque;
#endif
#ifdef USE_CUDA
struct CUDAStreamGuardOpaque;
#endif
#ifdef USE_CUDA
__attribute__((__visibility__("default"))) AOTITorchError
aoti_torch_get_current_cuda_stream(int32_t device_index, void** ret_stream);
#endif
__attribute__((__visibility__("default"))) AOTITorchError aoti_torch_proxy_executor_call_function(
AOTIProxyExecutorHandle proxy_executor,
int extern_node_index,
int num_ints,
int64_t* flatten_int_args,
int num_tensors,
AtenTensorHandle* flatten_tensor_args);
}
#define AOTI_TORCH_SUCCESS 0
namespace c10 {
struct BFloat16;
struct Half;
}
