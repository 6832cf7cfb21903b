#pragma once
#include <ATen/core/ivalue.h>
#include <ATen/core/operator_name.h>
#include <c10/util/SmallVector.h>
#include <optional>
#include <array>
#include <functional>
#include <memory>
#include <string_view>
#include <variant>
namespace c10 {
class __attribute__((__visibility__("default"))) OperatorHandle;
}
namespace at {
enum class RecordScope : uint8_t {
FUNCTION = 0,
BACKWARD_FUNCTION,
TORCHSCRIPT_FUNCTION,
KERNEL_FUNCTION_DTYPE,
CUSTOM_CLASS,
BUILD_FEATURE,
LITE_INTERPRETER,
USER_SCOPE,
STATIC_RUNTIME_OP,
STATIC_RUNTIME_MODEL,
NUM_SCOPES,
};
}
namespace std {
template <>
struct hash<at::RecordScope> {
size_t operator()(const at::RecordScope& sc) const noexcept;
};
}
