#pragma once
#include <torch/csrc/inductor/aoti_torch/c/macros.h>
#include <torch/headeronly/util/BFloat16.h>
#include <torch/headeronly/util/Half.h>
#include <torch/headeronly/util/complex.h>
extern "C" {
__attribute__((__visibility__("default"))) int32_t aoti_torch_device_type_cpu();
__attribute__((__visibility__("default"))) int32_t aoti_torch_device_type_cuda();
__attribute__((__visibility__("default"))) int32_t aoti_torch_device_type_meta();
__attribute__((__visibility__("default"))) int32_t aoti_torch_device_type_xpu();
__attribute__((__visibility__("default"))) int32_t aoti_torch_device_type_mps();
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
__attribute__((__visibility__("default"))) size_t aoti_torch_dtype_element_size(int32_t dtype);
__attribute__((__visibility__("default"))) int32_t aoti_torch_layout_strided();
__attribute__((__visibility__("default"))) int32_t aoti_torch_layout_sparse_coo();
__attribute__((__visibility__("default"))) int32_t aoti_torch_layout_sparse_csr();
__attribute__((__visibility__("default"))) int32_t aoti_torch_layout_sparse_csc();
__attribute__((__visibility__("default"))) int32_t aoti_torch_layout_sparse_bsr();
__attribute__((__visibility__("default"))) int32_t aoti_torch_layout_sparse_bsc();
__attribute__((__visibility__("default"))) int32_t aoti_torch_layout__mkldnn();
__attribute__((__visibility__("default"))) int32_t aoti_torch_layout_jagged();
__attribute__((__visibility__("default"))) AOTITorchError
aoti_torch_item_float32(AtenTensorHandle tensor, float* ret_value);
__attribute__((__visibility__("default"))) AOTITorchError
aoti_torch_item_int64(AtenTensorHandle tensor, int64_t* ret_value);
__attribute__((__visibility__("default"))) AOTITorchError
aoti_torch_item_bool(AtenTensorHandle tensor, bool* ret_value);
__attribute__((__visibility__("default"))) bool aoti_torch_grad_mode_is_enabled();
__attribute__((__visibility__("default"))) void aoti_torch_grad_mode_set_enabled(bool enabled);
__attribute__((__visibility__("default"))) AOTITorchError
aoti_torch_delete_tensor_object(AtenTensorHandle tensor);
__attribute__((__visibility__("default"))) AOTITorchError
aoti_torch_get_dtype(AtenTensorHandle tensor, int32_t* ret_dtype);
__attribute__((__visibility__("default"))) AOTITorchError
aoti_torch_get_device_type(AtenTensorHandle tensor, int32_t* ret_device_type);
__attribute__((__visibility__("default"))) AOTITorchError aoti_torch_new_tensor_handle(
AtenTensorHandle orig_handle,
AtenTensorHandle* new_handle);
__attribute__((__visibility__("default"))) AOTITorchError aoti_torch__alloc_from_pool(
AtenTensorHandle self,
int64_t offset_bytes,
int32_t dtype,
int64_t ndim,
const int64_t* sizes_ptr,
const int64_t* strides_ptr,
AtenTensorHandle* ret_new_tensor);
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
aoti_torch_assign_tensors_out(AtenTensorHandle src, AtenTensorHandle* ret_dst);
__attribute__((__visibility__("default"))) AOTITorchError
aoti_torch_clone(AtenTensorHandle self, AtenTensorHandle* ret);
__attribute__((__visibility__("default"))) AOTITorchError
aoti_torch_clone_preserve_strides(AtenTensorHandle self, AtenTensorHandle* ret);
__attribute__((__visibility__("default"))) AOTITorchError
aoti_torch_check_inf_and_nan(const char* tensor_name, AtenTensorHandle tensor);
__attribute__((__visibility__("default"))) AOTITorchError aoti_torch_index_put_out(
AtenTensorHandle out,
AtenTensorHandle self,
const AtenTensorHandle* indices,
const uint32_t num_indices,
const AtenTensorHandle values,
bool accumulate);
__attribute__((__visibility__("default"))) void aoti_torch_print_tensor_handle(
AtenTensorHandle self,
const char* msg);
using StableIValue = uint64_t;
__attribute__((__visibility__("default"))) AOTITorchError aoti_torch_call_dispatcher(
const char* opName,
const char* overloadName,
StableIValue* stack);
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
__attribute__((__visibility__("default"))) void aoti_torch_warn(
const char* func,
const char* file,
uint32_t line,
const char* msg);
}
#define AOTI_TORCH_WARN(...) aoti_torch_warn( __func__, __FILE__, static_cast<uint32_t>(__LINE__), #__VA_ARGS__);
