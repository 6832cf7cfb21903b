#pragma once
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Metaprogramming.h>
#include <torch/csrc/stable/stableivalue_conversions.h>
namespace torch::stable {
}
