#pragma once
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/device_struct.h>
#include <torch/csrc/stable/tensor_struct.h>
#include <torch/headeronly/core/DeviceType.h>
#include <torch/headeronly/core/Layout.h>
#include <torch/headeronly/core/MemoryFormat.h>
#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Exception.h>
#include <torch/headeronly/util/shim_utils.h>
#include <optional>
namespace torch::stable {
namespace detail __attribute__((visibility("hidden"))) {
template <typename T>
StableIValue from(T val);
template <typename T>
T to(StableIValue val);
using torch::headeronly::ScalarType;
using torch::headeronly::DeviceType;
using torch::headeronly::Layout;
using torch::headeronly::MemoryFormat;
template <typename T>
inline StableIValue from(T val);
template <typename T>
inline StableIValue from(const std::optional<T>& val);
[[maybe_unused]] inline StableIValue from(const torch::stable::Tensor& val);
template <typename T>
inline T to(StableIValue val);
}
}
template <typename T>
[[deprecated("Use torch::stable::detail::from instead.")]]
inline StableIValue from(T val);
template <typename T>
[[deprecated("Use torch::stable::detail::from instead.")]]
inline StableIValue from(const std::optional<T>& val);
[[deprecated(
"Use torch::stable::detail::from instead.")]] [[maybe_unused]] inline StableIValue
from(const torch::stable::Tensor& val);
template <typename T>
[[deprecated("Use torch::stable::detail::to instead.")]]
inline T to(StableIValue val);
