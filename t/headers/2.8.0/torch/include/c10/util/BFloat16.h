#pragma once
#include <c10/macros/Macros.h>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iosfwd>
#include <ostream>
namespace c10 {
struct alignas(2) BFloat16 {
uint16_t x;
BFloat16() = default;
struct from_bits_t {
};
static constexpr from_bits_t from_bits() {
return from_bits_t();
}
constexpr BFloat16(unsigned short bits, from_bits_t)
: x(bits) {}
inline BFloat16(float value);
inline operator float() const;
};
__attribute__((__visibility__("default"))) inline std::ostream& operator<<(
std::ostream& out,
const BFloat16& value);
}
#include <c10/util/BFloat16-inl.h>
