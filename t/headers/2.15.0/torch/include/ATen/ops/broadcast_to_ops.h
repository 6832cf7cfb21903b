#pragma once
#include <string_view>
#include <tuple>
#include <vector>
#include <ATen/core/ATen_fwd.h>
namespace at {
namespace _ops {
struct __attribute__((__visibility__("default"))) broadcast_to {
using schema = at::Tensor (const at::Tensor &, c10::SymIntArrayRef);
static constexpr const char* name = "aten::broadcast_to";
static at::Tensor call(const at::Tensor & self, c10::SymIntArrayRef size);
};
}
}
