#pragma once
#include <tuple>
#include <vector>
#include <ATen/core/ATen_fwd.h>
namespace at {
namespace _ops {
struct __attribute__((__visibility__("default"))) maximum {
using schema = at::Tensor (const at::Tensor &, const at::Tensor &);
static constexpr const char* name = "aten::maximum";
static constexpr const char* overload_name = "";
static at::Tensor call(const at::Tensor & self, const at::Tensor & other);
};
}
}
