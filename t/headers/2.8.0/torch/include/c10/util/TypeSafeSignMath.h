#pragma once
#include <c10/macros/Macros.h>
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
