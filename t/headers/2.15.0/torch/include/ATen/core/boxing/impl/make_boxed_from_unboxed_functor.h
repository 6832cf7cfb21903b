#pragma once
#include <ATen/core/IListRef.h>
#include <ATen/core/boxing/OperatorKernel.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>
#include <torch/headeronly/util/Metaprogramming.h>
#include <torch/headeronly/util/TypeList.h>
#include <c10/util/intrusive_ptr.h>
#include <utility>
namespace c10 {
using Stack = torch::jit::Stack;
class OperatorHandle;
}
