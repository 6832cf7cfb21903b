#pragma once
#include <c10/macros/Macros.h>
#include <cstdint>
#include <limits>
namespace c10 {
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
namespace std {
template <>
class numeric_limits<c10::Float8_e4m3fn> {
public:
static constexpr bool is_signed = true;
static constexpr int digits = 4;
static constexpr c10::Float8_e4m3fn min() {
return c10::Float8_e4m3fn(0x08, c10::Float8_e4m3fn::from_bits());
}
};
}
