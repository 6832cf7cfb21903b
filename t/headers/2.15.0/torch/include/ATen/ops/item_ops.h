#pragma once
#include <string_view>
#include <tuple>
#include <vector>
#include <ATen/core/ATen_fwd.h>
namespace at {
namespace _ops {
struct __attribute__((__visibility__("default"))) item {
using schema = at::Scalar (const at::Tensor &);
static constexpr const char* name = "aten::item";
static constexpr const char* overload_name = "";
static at::Scalar call(const at::Tensor & self);
};
}
}
