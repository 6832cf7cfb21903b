#pragma once
#include <c10/util/Half.h>
namespace c10 {
struct alignas(1) Float8_e5m2 {
uint8_t x;
struct from_bits_t {
};
static constexpr from_bits_t from_bits() {
return from_bits_t();
}
Float8_e5m2() = default;
constexpr Float8_e5m2(uint8_t bits, from_bits_t) : x(bits) {}
inline Float8_e5m2(float value);
inline operator float() const;
};
__attribute__((__visibility__("default"))) inline std::ostream& operator<<(
std::ostream& out,
const Float8_e5m2& value);
}
#include <c10/util/Float8_e5m2-inl.h>
