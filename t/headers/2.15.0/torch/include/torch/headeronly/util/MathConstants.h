#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/BFloat16.h>
#include <torch/headeronly/util/Half.h>
namespace torch {
namespace headeronly __attribute__((visibility("hidden"))) {
namespace detail {
template <typename T>
inline constexpr T e() {
return static_cast<T>(2.718281828459045235360287471352662);
}
}
template <typename T>
constexpr T e = torch::headeronly::detail::e<T>();
}
}
namespace c10 {
using torch::headeronly::e;
namespace detail {
using torch::headeronly::detail::e;
}
}
