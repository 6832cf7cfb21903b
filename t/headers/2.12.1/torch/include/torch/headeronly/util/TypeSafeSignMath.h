#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <limits>
#include <type_traits>
namespace c10 {
template <typename T>
inline constexpr bool is_negative(
const T& ,
std::true_type ) {
return false;
}
template <typename T>
inline constexpr bool is_negative(const T& x, std::false_type ) {
return x < T(0);
}
template <typename T>
inline constexpr bool is_negative(const T& x) {
return is_negative(x, std::is_unsigned<T>());
}
}
namespace torch {
namespace headeronly __attribute__((visibility("hidden"))) {
using c10::is_negative;
}
}
