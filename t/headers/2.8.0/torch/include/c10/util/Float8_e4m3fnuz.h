#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/floating_point_utils.h>
#include <type_traits>
#include <cstdint>
#include <iosfwd>
#include <ostream>
namespace c10 {
struct alignas(1) Float8_e4m3fnuz {
uint8_t x;
struct from_bits_t {
};
static constexpr from_bits_t from_bits() {
return from_bits_t();
}
Float8_e4m3fnuz() = default;
constexpr Float8_e4m3fnuz(uint8_t bits, from_bits_t)
: x(bits) {}
inline Float8_e4m3fnuz(float value);
inline operator float() const;
};
__attribute__((__visibility__("default"))) inline std::ostream& operator<<(
std::ostream& out,
const Float8_e4m3fnuz& value);
}
#include <c10/util/Float8_e4m3fnuz-inl.h>
