#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/BFloat16.h>
#include <torch/headeronly/util/Half.h>
namespace torch {
namespace headeronly __attribute__((visibility("hidden"))) {
template <typename T>
struct is_reduced_floating_point
: std::integral_constant<
bool,
std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>> {
};
template <typename T>
constexpr bool is_reduced_floating_point_v =
is_reduced_floating_point<T>::value;
}
}
namespace c10 {
using torch::headeronly::is_reduced_floating_point;
using torch::headeronly::is_reduced_floating_point_v;
}
namespace std {
using torch::headeronly::is_reduced_floating_point;
using torch::headeronly::is_reduced_floating_point_v;
template <
typename T,
typename std::
enable_if_t<torch::headeronly::is_reduced_floating_point_v<T>, int> = 0>
inline T erf(T a);
template <
typename T,
typename std::
enable_if_t<torch::headeronly::is_reduced_floating_point_v<T>, int> = 0>
inline T exp(T a);
}
