#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/bit_cast.h>
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
constexpr BFloat16(
unsigned short bits,
from_bits_t )
: x(bits) {}
inline BFloat16(float value);
inline operator float() const;
};
inline std::ostream& operator<<(std::ostream& out, const BFloat16& value);
inline BFloat16
operator+(const BFloat16& a, const BFloat16& b);
inline BFloat16
operator-(const BFloat16& a, const BFloat16& b);
inline BFloat16
operator*(const BFloat16& a, const BFloat16& b);
inline BFloat16 operator/(const BFloat16& a, const BFloat16& b)
__attribute__((no_sanitize("float-divide-by-zero")));
inline BFloat16 operator-(const BFloat16& a);
inline BFloat16& operator+=(BFloat16& a, const BFloat16& b);
inline BFloat16& operator-=(BFloat16& a, const BFloat16& b);
inline BFloat16& operator*=(BFloat16& a, const BFloat16& b);
inline BFloat16& operator/=(BFloat16& a, const BFloat16& b);
inline BFloat16& operator|(BFloat16& a, const BFloat16& b);
inline BFloat16& operator^(BFloat16& a, const BFloat16& b);
inline BFloat16& operator&(BFloat16& a, const BFloat16& b);
inline float operator+(BFloat16 a, float b);
inline float operator-(BFloat16 a, float b);
inline float operator*(BFloat16 a, float b);
inline float operator/(BFloat16 a, float b);
inline float operator+(float a, BFloat16 b);
inline float operator-(float a, BFloat16 b);
inline float operator*(float a, BFloat16 b);
inline float operator/(float a, BFloat16 b);
inline float& operator+=(float& a, const BFloat16& b);
inline float& operator-=(float& a, const BFloat16& b);
inline float& operator*=(float& a, const BFloat16& b);
inline float& operator/=(float& a, const BFloat16& b);
inline double operator+(BFloat16 a, double b);
inline double operator-(BFloat16 a, double b);
inline double operator*(BFloat16 a, double b);
inline double operator/(BFloat16 a, double b);
inline double operator+(double a, BFloat16 b);
inline double operator-(double a, BFloat16 b);
inline double operator*(double a, BFloat16 b);
inline double operator/(double a, BFloat16 b);
inline BFloat16 operator+(BFloat16 a, int b);
inline BFloat16 operator-(BFloat16 a, int b);
inline BFloat16 operator*(BFloat16 a, int b);
inline BFloat16 operator/(BFloat16 a, int b);
inline BFloat16 operator+(int a, BFloat16 b);
inline BFloat16 operator-(int a, BFloat16 b);
inline BFloat16 operator*(int a, BFloat16 b);
inline BFloat16 operator/(int a, BFloat16 b);
inline BFloat16 operator+(BFloat16 a, int64_t b);
inline BFloat16 operator-(BFloat16 a, int64_t b);
inline BFloat16 operator*(BFloat16 a, int64_t b);
inline BFloat16 operator/(BFloat16 a, int64_t b);
inline BFloat16 operator+(int64_t a, BFloat16 b);
inline BFloat16 operator-(int64_t a, BFloat16 b);
inline BFloat16 operator*(int64_t a, BFloat16 b);
inline BFloat16 operator/(int64_t a, BFloat16 b);
inline bool operator>(BFloat16& lhs, BFloat16& rhs);
inline bool operator<(BFloat16& lhs, BFloat16& rhs);
}
namespace torch {
namespace headeronly __attribute__((visibility("hidden"))) {
using c10::BFloat16;
using c10::operator*;
}
}
namespace std {
template <>
class numeric_limits<c10::BFloat16> {
public:
static constexpr c10::BFloat16 max() {
return c10::BFloat16(0x7F7F, c10::BFloat16::from_bits());
}
static constexpr c10::BFloat16 infinity() {
return c10::BFloat16(0x7F80, c10::BFloat16::from_bits());
}
};
}
