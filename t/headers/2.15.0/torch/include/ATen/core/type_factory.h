#pragma once
#include <type_traits>
#include <unordered_map>
#include <ATen/core/dynamic_type.h>
#include <ATen/core/jit_type_base.h>
#include <torch/headeronly/macros/Macros.h>
namespace c10 {
using PlatformType =
c10::Type
;
}
