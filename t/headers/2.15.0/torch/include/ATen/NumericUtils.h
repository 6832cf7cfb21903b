#pragma once
#include <torch/headeronly/util/NumericUtils.h>
#include <c10/util/complex.h>
#include <cmath>
#include <type_traits>
namespace at {
template <typename T>
inline T exp(T x);
template <>
inline double exp<double>(double x);
}
