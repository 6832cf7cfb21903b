#pragma once
#include <string_view>
#include <tuple>
#include <vector>
#include <ATen/core/ATen_fwd.h>
namespace at {
namespace _ops {
struct __attribute__((__visibility__("default"))) addr {
using schema = at::Tensor (const at::Tensor &, const at::Tensor &, const at::Tensor &, const at::Scalar &, const at::Scalar &);
static constexpr const char* name = "aten::addr";
static constexpr const char* overload_name = "";
static at::Tensor call(const at::Tensor & self, const at::Tensor & vec1, const at::Tensor & vec2, const at::Scalar & beta, const at::Scalar & alpha);
};
}
}
