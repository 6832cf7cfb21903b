#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/bit_cast.h>
#include <c10/util/floating_point_utils.h>
#include <type_traits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iosfwd>
#include <limits>
#include <ostream>
#include <immintrin.h>
namespace c10 {
struct alignas(2) Half {
unsigned short x;
struct from_bits_t {
};
static constexpr from_bits_t from_bits() {
return from_bits_t();
}
Half() = default;
constexpr Half(unsigned short bits, from_bits_t) : x(bits) {}
inline Half(float value);
inline operator float() const;
};
__attribute__((__visibility__("default"))) inline std::ostream& operator<<(std::ostream& out, const Half& value);
}
#include <c10/util/Half-inl.h>
