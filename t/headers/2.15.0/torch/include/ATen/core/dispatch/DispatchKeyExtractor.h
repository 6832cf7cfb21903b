#pragma once
#include <ATen/core/Variadic.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/jit_type.h>
#include <ATen/core/stack.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/util/Bitset.h>
#include <torch/headeronly/util/irange.h>
#include <cstdint>
namespace c10 {
struct __attribute__((__visibility__("default"))) DispatchKeyExtractor final {
public:
private:
explicit DispatchKeyExtractor(c10::utils::bitset dispatch_arg_indices_reverse);
c10::utils::bitset dispatch_arg_indices_reverse_;
DispatchKeySet nonFallthroughKeys_;
std::array<DispatchKeySet, num_backends> nonFallthroughKeysPerBackend_;
bool requiresBitsetPerBackend_{false};
};
}
