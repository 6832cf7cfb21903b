#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/floating_point_utils.h>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <ostream>
namespace c10 {
struct alignas(1) Float8_e8m0fnu {
uint8_t x;
struct from_bits_t {
};
static constexpr from_bits_t from_bits() {
return from_bits_t();
}
Float8_e8m0fnu() = default;
constexpr Float8_e8m0fnu(uint8_t bits, from_bits_t )
: x(bits) {}
inline Float8_e8m0fnu(float value);
inline operator float() const;
};
inline std::ostream& operator<<(
std::ostream& out,
const Float8_e8m0fnu& value);
}
namespace torch {
namespace headeronly __attribute__((visibility("hidden"))) {
using c10::Float8_e8m0fnu;
}
}
namespace std {
template <>
class numeric_limits<c10::Float8_e8m0fnu> {
public:
};
}
