#pragma once
#include <c10/core/Allocator.h>
#include <c10/core/Device.h>
#include <c10/core/DeviceType.h>
#include <c10/core/DispatchKey.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/impl/PyInterpreter.h>
#include <c10/util/python_stub.h>
#include <utility>
#include <optional>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <torch/headeronly/util/BFloat16.h>
#include <c10/util/Exception.h>
#include <torch/headeronly/util/Float4_e2m1fn_x2.h>
#include <torch/headeronly/util/Float8_e4m3fn.h>
#include <torch/headeronly/util/Float8_e4m3fnuz.h>
#include <torch/headeronly/util/Float8_e5m2.h>
#include <torch/headeronly/util/Float8_e5m2fnuz.h>
#include <torch/headeronly/util/Float8_e8m0fnu.h>
#include <torch/headeronly/util/Half.h>
#include <ATen/cpu/vec/vec_half.h>
#include <torch/headeronly/util/bits.h>
#include <c10/util/complex.h>
#include <torch/headeronly/util/qint32.h>
#include <torch/headeronly/util/qint8.h>
#include <torch/headeronly/util/quint2x4.h>
#include <torch/headeronly/util/quint4x2.h>
#include <torch/headeronly/util/quint8.h>
#include <array>
#include <cstddef>
#include <limits>
#include <ostream>
#include <type_traits>
#include <unordered_map>
#include <torch/headeronly/core/ScalarType.h>
#include <c10/core/ScalarTypeToTypeMeta.h>
#include <c10/core/Storage.h>
#include <c10/core/SymBool.h>
#include <c10/core/SymInt.h>
#include <c10/core/SymIntArrayRef.h>
#include <c10/core/SymbolicShapeMeta.h>
#include <torch/headeronly/macros/Macros.h>
#include <cstdint>
#include <c10/core/impl/PyObjectSlot.h>
#include <c10/core/impl/SizesAndStrides.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/DimVector.h>
#include <string>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>
#include <typeinfo>
#include <iterator>
#include <numeric>
#include <c10/util/intrusive_ptr.h>
#include <c10/util/irange.h>
#include <c10/util/typeid.h>
#include <algorithm>
#include <atomic>
namespace at {
class Tensor;
class TensorBase;
}
namespace c10 {
struct __attribute__((__visibility__("default"))) AutogradMetaInterface {
virtual ~AutogradMetaInterface();
};
struct __attribute__((__visibility__("default"))) NamedTensorMetaInterface {
virtual ~NamedTensorMetaInterface() = default;
};
struct __attribute__((__visibility__("default"))) BackendMeta : intrusive_ptr_target {
~BackendMeta() override = default;
};
struct __attribute__((__visibility__("default"))) ExtraMeta {
std::unique_ptr<c10::SymbolicShapeMeta> symbolic_shape_meta_ = nullptr;
std::unique_ptr<c10::NamedTensorMetaInterface> named_tensor_meta_ = nullptr;
intrusive_ptr<c10::BackendMeta> backend_meta_ = nullptr;
std::optional<std::string> custom_data_ptr_error_msg_ = std::nullopt;
std::optional<std::string> custom_storage_error_msg_ = std::nullopt;
ExtraMeta() = default;
~ExtraMeta() = default;
ExtraMeta(const ExtraMeta& other);
ExtraMeta& operator=(const ExtraMeta& other) = delete;
ExtraMeta(ExtraMeta&& other) = delete;
ExtraMeta& operator=(ExtraMeta&& other) = delete;
ExtraMeta(
std::unique_ptr<c10::SymbolicShapeMeta> symbolic_shape_meta,
std::unique_ptr<c10::NamedTensorMetaInterface> named_tensor_meta,
intrusive_ptr<c10::BackendMeta> backend_meta,
std::optional<std::string> custom_data_ptr_error_msg = std::nullopt,
std::optional<std::string> custom_storage_access_error_msg = std::nullopt);
};
struct __attribute__((__visibility__("default"))) VariableVersion {
private:
struct VersionCounter : intrusive_ptr_target {
VersionCounter(uint32_t version);
std::atomic<uint32_t> version_;
};
c10::intrusive_ptr<VersionCounter> version_counter_;
public:
enum Disabled { DISABLED };
VariableVersion(uint32_t version);
VariableVersion(Disabled = DISABLED);
bool enabled() const;
};
struct __attribute__((__visibility__("default"))) TensorImpl;
struct __attribute__((__visibility__("default"))) TensorImpl : public c10::intrusive_ptr_target {
TensorImpl() = delete;
~TensorImpl() override;
enum ImplType { VIEW };
TensorImpl(
Storage&& storage,
DispatchKeySet ,
const caffe2::TypeMeta data_type);
TensorImpl(
ImplType ,
Storage&& storage,
DispatchKeySet ,
const caffe2::TypeMeta data_type);
TensorImpl(
DispatchKeySet ,
const caffe2::TypeMeta data_type,
std::optional<c10::Device> device_opt);
TensorImpl(
Storage&& storage,
DispatchKey dispatch_key,
const caffe2::TypeMeta data_type);
TensorImpl(
DispatchKey dispatch_key,
const caffe2::TypeMeta data_type,
std::optional<c10::Device> device_opt);
private:
TensorImpl(
Storage&& storage,
DispatchKeySet ,
const caffe2::TypeMeta data_type,
std::optional<c10::Device> );
public:
TensorImpl(const TensorImpl&) = delete;
TensorImpl& operator=(const TensorImpl&) = delete;
TensorImpl(TensorImpl&&) = delete;
TensorImpl& operator=(TensorImpl&&) = delete;
public:
DispatchKeySet key_set() const;
private:
public:
IntArrayRef sizes() const;
int64_t numel() const;
int64_t dim() const;
int64_t storage_offset() const;
IntArrayRef strides() const;
int64_t size(int64_t d) const;
c10::SymInt sym_size(int64_t d) const;
int64_t stride(int64_t d) const;
protected:
public:
virtual const Storage& storage() const;
protected:
public:
bool is_cpu() const;
Device device() const;
protected:
public:
Layout layout() const;
private:
public:
private:
public:
inline const void* data() const;
private:
public:
const caffe2::TypeMeta dtype() const;
size_t itemsize() const;
protected:
private:
c10::SymbolicShapeMeta& symbolic_shape_meta();
const c10::SymbolicShapeMeta& symbolic_shape_meta() const;
public:
const c10::NamedTensorMetaInterface* named_tensor_meta() const;
c10::NamedTensorMetaInterface* named_tensor_meta();
private:
public:
private:
std::optional<c10::Device> device_opt() const;
public:
DeviceType device_type() const;
private:
protected:
private:
protected:
private:
protected:
public:
public:
protected:
protected:
Storage storage_;
private:
std::unique_ptr<c10::AutogradMetaInterface> autograd_meta_ = nullptr;
protected:
std::unique_ptr<c10::ExtraMeta> extra_meta_ = nullptr;
c10::VariableVersion version_counter_;
impl::PyObjectSlot pyobj_slot_;
c10::impl::SizesAndStrides sizes_and_strides_;
int64_t storage_offset_ = 0;
int64_t numel_ = 1;
caffe2::TypeMeta data_type_;
std::optional<c10::Device> device_opt_;
bool is_contiguous_ : 1;
bool storage_access_should_throw_ : 1;
bool is_channels_last_ : 1;
bool is_channels_last_contiguous_ : 1;
bool is_channels_last_3d_ : 1;
bool is_channels_last_3d_contiguous_ : 1;
bool is_non_overlapping_and_dense_ : 1;
bool is_wrapped_number_ : 1;
bool allow_tensor_metadata_change_ : 1;
bool reserved_ : 1;
uint8_t sizes_strides_policy_ : 2;
bool has_symbolic_sizes_strides_ : 1;
uint8_t custom_sizes_strides_ : 2;
bool device_policy_ : 1;
bool layout_policy_ : 1;
bool custom_device_ : 1;
bool custom_layout_ : 1;
uint8_t python_custom_sizes_strides_ : 2;
bool python_custom_device_ : 1;
bool python_custom_layout_ : 1;
DispatchKeySet key_set_;
private:
template <
size_t cplusplus,
size_t clang_ver_major,
size_t gcc_ver,
size_t gcc_ver_minor,
size_t nvcc,
size_t cuda_version,
size_t cuda_version_major,
size_t ptr_size>
friend class C10_TensorImpl_Size_Check_Dummy_Class;
};
template <
size_t cplusplus = 202002L,
size_t clang_ver_major = 19,
size_t gcc_ver = 4,
size_t gcc_ver_minor = 2,
size_t nvcc = 0,
size_t cuda_version = 0,
size_t cuda_version_major = 0,
size_t ptr_size = sizeof(void*)>
class C10_TensorImpl_Size_Check_Dummy_Class : private TensorImpl {
public:
};
}
