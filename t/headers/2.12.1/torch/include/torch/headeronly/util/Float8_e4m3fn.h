#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/floating_point_utils.h>
#include <cmath>
#include <cstdint>
#include <climits>
#include <iostream>
namespace c10 {
struct alignas(1) Float8_e4m3fn {
uint8_t x;
struct from_bits_t {
};
static constexpr from_bits_t from_bits() {
return from_bits_t();
}
Float8_e4m3fn() = default;
constexpr Float8_e4m3fn(uint8_t bits, from_bits_t )
: x(bits) {}
inline Float8_e4m3fn(float value);
inline operator float() const;
};
inline std::ostream& operator<<(std::ostream& out, const Float8_e4m3fn& value);
inline Float8_e4m3fn
operator+(const Float8_e4m3fn& a, const Float8_e4m3fn& b);
inline Float8_e4m3fn
operator-(const Float8_e4m3fn& a, const Float8_e4m3fn& b);
inline Float8_e4m3fn
operator*(const Float8_e4m3fn& a, const Float8_e4m3fn& b);
inline Float8_e4m3fn operator/(
const Float8_e4m3fn& a,
const Float8_e4m3fn& b) __attribute__((no_sanitize("float-divide-by-zero")));
inline Float8_e4m3fn operator-(const Float8_e4m3fn& a);
inline Float8_e4m3fn& operator+=(
Float8_e4m3fn& a,
const Float8_e4m3fn& b);
inline Float8_e4m3fn& operator-=(
Float8_e4m3fn& a,
const Float8_e4m3fn& b);
inline Float8_e4m3fn& operator*=(
Float8_e4m3fn& a,
const Float8_e4m3fn& b);
inline Float8_e4m3fn& operator/=(
Float8_e4m3fn& a,
const Float8_e4m3fn& b);
inline float operator+(Float8_e4m3fn a, float b);
inline float operator-(Float8_e4m3fn a, float b);
inline float operator*(Float8_e4m3fn a, float b);
inline float operator/(Float8_e4m3fn a, float b)
__attribute__((no_sanitize("float-divide-by-zero")));
inline float operator+(float a, Float8_e4m3fn b);
inline float operator-(float a, Float8_e4m3fn b);
inline float operator*(float a, Float8_e4m3fn b);
inline float operator/(float a, Float8_e4m3fn b)
__attribute__((no_sanitize("float-divide-by-zero")));
inline float& operator+=(float& a, const Float8_e4m3fn& b);
inline float& operator-=(float& a, const Float8_e4m3fn& b);
inline float& operator*=(float& a, const Float8_e4m3fn& b);
inline float& operator/=(float& a, const Float8_e4m3fn& b);
inline double operator+(Float8_e4m3fn a, double b);
inline double operator-(Float8_e4m3fn a, double b);
inline double operator*(Float8_e4m3fn a, double b);
inline double operator/(Float8_e4m3fn a, double b)
__attribute__((no_sanitize("float-divide-by-zero")));
inline double operator+(double a, Float8_e4m3fn b);
inline double operator-(double a, Float8_e4m3fn b);
inline double operator*(double a, Float8_e4m3fn b);
inline double operator/(double a, Float8_e4m3fn b)
__attribute__((no_sanitize("float-divide-by-zero")));
inline Float8_e4m3fn operator+(Float8_e4m3fn a, int b);
inline Float8_e4m3fn operator-(Float8_e4m3fn a, int b);
inline Float8_e4m3fn operator*(Float8_e4m3fn a, int b);
inline Float8_e4m3fn operator/(Float8_e4m3fn a, int b);
inline Float8_e4m3fn operator+(int a, Float8_e4m3fn b);
inline Float8_e4m3fn operator-(int a, Float8_e4m3fn b);
inline Float8_e4m3fn operator*(int a, Float8_e4m3fn b);
inline Float8_e4m3fn operator/(int a, Float8_e4m3fn b);
inline Float8_e4m3fn operator+(Float8_e4m3fn a, int64_t b);
inline Float8_e4m3fn operator-(Float8_e4m3fn a, int64_t b);
inline Float8_e4m3fn operator*(Float8_e4m3fn a, int64_t b);
inline Float8_e4m3fn operator/(Float8_e4m3fn a, int64_t b);
inline Float8_e4m3fn operator+(int64_t a, Float8_e4m3fn b);
inline Float8_e4m3fn operator-(int64_t a, Float8_e4m3fn b);
inline Float8_e4m3fn operator*(int64_t a, Float8_e4m3fn b);
inline Float8_e4m3fn operator/(int64_t a, Float8_e4m3fn b);
}
namespace torch {
namespace headeronly __attribute__((visibility("hidden"))) {
using c10::Float8_e4m3fn;
}
}
namespace std {
template <>
class numeric_limits<c10::Float8_e4m3fn> {
public:
static constexpr c10::Float8_e4m3fn max() {
return c10::Float8_e4m3fn(0x7E, c10::Float8_e4m3fn::from_bits());
}
};
}
