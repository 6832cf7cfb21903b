#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/floating_point_utils.h>
#include <cstring>
#include <limits>
namespace std {
template <>
class numeric_limits<c10::Float8_e8m0fnu> {
public:
static constexpr c10::Float8_e8m0fnu max() {
return c10::Float8_e8m0fnu(0b11111110, c10::Float8_e8m0fnu::from_bits());
}
};
}
