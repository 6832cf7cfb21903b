#pragma once
#include <c10/core/Backend.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/Device.h>
#include <c10/core/DeviceType.h>
#include <c10/core/DispatchKey.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>
#include <c10/core/ScalarTypeToTypeMeta.h>
#include <torch/headeronly/macros/Macros.h>
#include <c10/util/Exception.h>
#include <optional>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <type_traits>
#include <utility>
namespace c10 {
struct __attribute__((__visibility__("default"))) TensorOptions {
TensorOptions() noexcept;
TensorOptions(Layout layout);
template <
typename T,
typename = std::enable_if_t<std::is_same_v<std::decay_t<T>, Device>>>
TensorOptions(T&& device);
template <
typename... Args,
typename = std::enable_if_t<std::is_constructible_v<Device, Args&&...>>>
TensorOptions(Args&&... args);
TensorOptions(caffe2::TypeMeta dtype);
TensorOptions(ScalarType dtype);
TensorOptions(MemoryFormat memory_format);
[[nodiscard]] TensorOptions device(
std::optional<Device> device) const noexcept;
template <typename... Args>
[[nodiscard]] TensorOptions device(Args&&... args) const noexcept;
[[nodiscard]] TensorOptions device_index(
c10::DeviceIndex device_index) const noexcept;
[[nodiscard]] TensorOptions dtype(
std::optional<caffe2::TypeMeta> dtype) const noexcept;
[[nodiscard]] TensorOptions dtype(
std::optional<ScalarType> dtype) const noexcept;
template <typename T>
TensorOptions& dtype();
[[nodiscard]] TensorOptions layout(
std::optional<Layout> layout) const noexcept;
[[nodiscard]] TensorOptions requires_grad(
std::optional<bool> requires_grad) const noexcept;
[[nodiscard]] TensorOptions memory_format(
std::optional<MemoryFormat> memory_format) const noexcept;
Device device() const noexcept;
std::optional<Device> device_opt() const noexcept;
c10::DeviceIndex device_index() const noexcept;
caffe2::TypeMeta dtype() const noexcept;
Layout layout() const noexcept;
bool requires_grad() const noexcept;
Backend backend() const;
private:
Device device_ = at::kCPU;
caffe2::TypeMeta dtype_ = caffe2::TypeMeta::Make<float>();
Layout layout_ = at::kStrided;
MemoryFormat memory_format_ = MemoryFormat::Contiguous;
bool requires_grad_ : 1 = false;
bool pinned_memory_ : 1 = false;
bool has_device_ : 1 = false;
bool has_dtype_ : 1 = false;
bool has_layout_ : 1 = false;
bool has_requires_grad_ : 1 = false;
bool has_pinned_memory_ : 1 = false;
bool has_memory_format_ : 1 = false;
};
inline TensorOptions dtype(caffe2::TypeMeta dtype);
inline TensorOptions dtype(ScalarType dtype);
inline TensorOptions layout(Layout layout);
inline TensorOptions device(Device device);
__attribute__((__visibility__("default"))) std::ostream& operator<<(
std::ostream& stream,
const TensorOptions& options);
template <typename T>
inline TensorOptions dtype();
}
