#pragma once
#include <tuple>
#include <vector>
#include <ATen/core/ATen_fwd.h>
namespace at {
namespace _ops {
struct __attribute__((__visibility__("default"))) std {
using schema = at::Tensor (const at::Tensor &, bool);
static constexpr const char* name = "aten::std";
static constexpr const char* overload_name = "";
static at::Tensor call(const at::Tensor & self, bool unbiased);
};
}
}
