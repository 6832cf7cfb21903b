#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Half.h>
#include <limits>
namespace c10 {
struct alignas(1) Float8_e5m2 {
uint8_t x;
struct from_bits_t {
};
static constexpr from_bits_t from_bits() {
return from_bits_t();
}
Float8_e5m2() = default;
constexpr Float8_e5m2(uint8_t bits, from_bits_t )
: x(bits) {}
inline Float8_e5m2(float value);
inline operator float() const;
};
inline std::ostream& operator<<(std::ostream& out, const Float8_e5m2& value);
inline Float8_e5m2
operator+(const Float8_e5m2& a, const Float8_e5m2& b);
inline Float8_e5m2
operator-(const Float8_e5m2& a, const Float8_e5m2& b);
inline Float8_e5m2
operator*(const Float8_e5m2& a, const Float8_e5m2& b);
inline Float8_e5m2 operator/(
const Float8_e5m2& a,
const Float8_e5m2& b) __attribute__((no_sanitize("float-divide-by-zero")));
inline Float8_e5m2 operator-(const Float8_e5m2& a);
inline Float8_e5m2& operator+=(
Float8_e5m2& a,
const Float8_e5m2& b);
inline Float8_e5m2& operator-=(
Float8_e5m2& a,
const Float8_e5m2& b);
inline Float8_e5m2& operator*=(
Float8_e5m2& a,
const Float8_e5m2& b);
inline Float8_e5m2& operator/=(
Float8_e5m2& a,
const Float8_e5m2& b);
inline float operator+(Float8_e5m2 a, float b);
inline float operator-(Float8_e5m2 a, float b);
inline float operator*(Float8_e5m2 a, float b);
inline float operator/(Float8_e5m2 a, float b)
__attribute__((no_sanitize("float-divide-by-zero")));
inline float operator+(float a, Float8_e5m2 b);
inline float operator-(float a, Float8_e5m2 b);
inline float operator*(float a, Float8_e5m2 b);
inline float operator/(float a, Float8_e5m2 b)
__attribute__((no_sanitize("float-divide-by-zero")));
inline float& operator+=(float& a, const Float8_e5m2& b);
inline float& operator-=(float& a, const Float8_e5m2& b);
inline float& operator*=(float& a, const Float8_e5m2& b);
inline float& operator/=(float& a, const Float8_e5m2& b);
inline double operator+(Float8_e5m2 a, double b);
inline double operator-(Float8_e5m2 a, double b);
inline double operator*(Float8_e5m2 a, double b);
inline double operator/(Float8_e5m2 a, double b)
__attribute__((no_sanitize("float-divide-by-zero")));
inline double operator+(double a, Float8_e5m2 b);
inline double operator-(double a, Float8_e5m2 b);
inline double operator*(double a, Float8_e5m2 b);
inline double operator/(double a, Float8_e5m2 b)
__attribute__((no_sanitize("float-divide-by-zero")));
inline Float8_e5m2 operator+(Float8_e5m2 a, int b);
inline Float8_e5m2 operator-(Float8_e5m2 a, int b);
inline Float8_e5m2 operator*(Float8_e5m2 a, int b);
inline Float8_e5m2 operator/(Float8_e5m2 a, int b);
inline Float8_e5m2 operator+(int a, Float8_e5m2 b);
inline Float8_e5m2 operator-(int a, Float8_e5m2 b);
inline Float8_e5m2 operator*(int a, Float8_e5m2 b);
inline Float8_e5m2 operator/(int a, Float8_e5m2 b);
inline Float8_e5m2 operator+(Float8_e5m2 a, int64_t b);
inline Float8_e5m2 operator-(Float8_e5m2 a, int64_t b);
inline Float8_e5m2 operator*(Float8_e5m2 a, int64_t b);
inline Float8_e5m2 operator/(Float8_e5m2 a, int64_t b);
inline Float8_e5m2 operator+(int64_t a, Float8_e5m2 b);
inline Float8_e5m2 operator-(int64_t a, Float8_e5m2 b);
inline Float8_e5m2 operator*(int64_t a, Float8_e5m2 b);
inline Float8_e5m2 operator/(int64_t a, Float8_e5m2 b);
}
namespace torch {
namespace headeronly __attribute__((visibility("hidden"))) {
using c10::Float8_e5m2;
using c10::operator*;
}
}
namespace std {
template <>
class numeric_limits<c10::Float8_e5m2> {
public:
static constexpr c10::Float8_e5m2 max() {
return c10::Float8_e5m2(0x7B, c10::Float8_e5m2::from_bits());
}
static constexpr c10::Float8_e5m2 infinity() {
return c10::Float8_e5m2(0x7C, c10::Float8_e5m2::from_bits());
}
};
}
