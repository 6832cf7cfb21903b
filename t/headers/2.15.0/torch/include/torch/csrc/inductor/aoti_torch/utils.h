#pragma once
#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/List.h>
#include <c10/core/DeviceType.h>
#include <c10/core/SymIntArrayRef.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Logging.h>
#include <c10/util/OptionalArrayRef.h>
#include <torch/headeronly/util/irange.h>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/shim_exception_state.h>
#include <optional>
#include <type_traits>
namespace torch::aot_inductor {
inline at::Tensor* tensor_handle_to_tensor_pointer(AtenTensorHandle handle);
inline AtenTensorHandle new_tensor_handle(at::Tensor&& tensor);
}
