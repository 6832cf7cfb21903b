#pragma once
#include <c10/macros/Macros.h>
#include <cstring>
#include <limits>
namespace c10 {
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
namespace std {
template <>
class numeric_limits<c10::Float8_e5m2> {
public:
static constexpr bool is_signed = true;
static constexpr int digits = 3;
static constexpr c10::Float8_e5m2 min() {
return c10::Float8_e5m2(0x4, c10::Float8_e5m2::from_bits());
}
static constexpr c10::Float8_e5m2 infinity() {
return c10::Float8_e5m2(0x7C, c10::Float8_e5m2::from_bits());
}
};
}
