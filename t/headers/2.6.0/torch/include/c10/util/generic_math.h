#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/TypeSafeSignMath.h>
#include <cmath>
#include <c10/util/copysign.h>
namespace c10 {
template <typename scalar_t>
inline scalar_t div_floor_integer(scalar_t a, scalar_t b);
}
