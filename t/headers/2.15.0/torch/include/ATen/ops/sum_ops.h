#pragma once
#include <string_view>
#include <tuple>
#include <vector>
#include <ATen/core/ATen_fwd.h>
namespace at {
namespace _ops {
struct __attribute__((__visibility__("default"))) sum {
using schema = at::Tensor (const at::Tensor &, ::std::optional<at::ScalarType>);
static constexpr const char* name = "aten::sum";
static at::Tensor call(const at::Tensor & self, ::std::optional<at::ScalarType> dtype);
};
}
}
