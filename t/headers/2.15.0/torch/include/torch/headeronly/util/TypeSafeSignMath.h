#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <limits>
#include <type_traits>
namespace c10 {
template <typename T>
inline constexpr bool is_negative(const T& x) {
if constexpr (std::is_unsigned_v<T>) {
return false;
} else {
return x < T(0);
}
}
}
namespace torch {
namespace headeronly __attribute__((visibility("hidden"))) {
using c10::is_negative;
}
}
