#pragma once
#include <tuple>
#include <type_traits>
#include <utility>
#include <ATen/core/ivalue.h>
#include <torch/headeronly/util/irange.h>
namespace torch::jit {
using c10::IValue;
using Stack = std::vector<IValue>;
}
