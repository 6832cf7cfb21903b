#pragma once
#include <tuple>
#include <vector>
#include <ATen/core/ATen_fwd.h>
namespace at {
namespace _ops {
struct __attribute__((__visibility__("default"))) exp {
using schema = at::Tensor (const at::Tensor &);
static constexpr const char* name = "aten::exp";
static constexpr const char* overload_name = "";
static at::Tensor call(const at::Tensor & self);
};
}
}
