#pragma once
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>
#include <c10/core/TensorOptions.h>
#include <ATen/core/boxing/BoxedKernel.h>
#include <torch/headeronly/util/Metaprogramming.h>
#include <type_traits>
