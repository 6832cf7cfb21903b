#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/BFloat16.h>
#include <torch/headeronly/util/Half.h>
#include <ATen/cpu/vec/vec_half.h>
namespace c10 {
namespace detail {
template <typename T>
inline constexpr T e() {
return static_cast<T>(2.718281828459045235360287471352662);
}
}
template <typename T>
constexpr T e = c10::detail::e<T>();
}
