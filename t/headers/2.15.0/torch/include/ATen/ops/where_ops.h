#pragma once
#include <string_view>
#include <tuple>
#include <vector>
#include <ATen/core/ATen_fwd.h>
namespace at {
namespace _ops {
struct __attribute__((__visibility__("default"))) where {
using schema = ::std::vector<at::Tensor> (const at::Tensor &);
static constexpr const char* name = "aten::where";
static ::std::vector<at::Tensor> call(const at::Tensor & condition);
};
}
}
