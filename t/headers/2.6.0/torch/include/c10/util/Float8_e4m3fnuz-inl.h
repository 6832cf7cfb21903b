#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/Float8_fnuz_cvt.h>
#include <cstring>
#include <limits>
namespace c10 {
inline Float8_e4m3fnuz
operator+(const Float8_e4m3fnuz& a, const Float8_e4m3fnuz& b);
inline Float8_e4m3fnuz
operator-(const Float8_e4m3fnuz& a, const Float8_e4m3fnuz& b);
inline Float8_e4m3fnuz
operator*(const Float8_e4m3fnuz& a, const Float8_e4m3fnuz& b);
inline Float8_e4m3fnuz operator/(
const Float8_e4m3fnuz& a,
const Float8_e4m3fnuz& b) __attribute__((no_sanitize("float-divide-by-zero")));
inline Float8_e4m3fnuz operator-(const Float8_e4m3fnuz& a);
inline Float8_e4m3fnuz& operator+=(
Float8_e4m3fnuz& a,
const Float8_e4m3fnuz& b);
inline Float8_e4m3fnuz& operator-=(
Float8_e4m3fnuz& a,
const Float8_e4m3fnuz& b);
inline Float8_e4m3fnuz& operator*=(
Float8_e4m3fnuz& a,
const Float8_e4m3fnuz& b);
inline Float8_e4m3fnuz& operator/=(
Float8_e4m3fnuz& a,
const Float8_e4m3fnuz& b);
inline float operator+(Float8_e4m3fnuz a, float b);
inline float operator-(Float8_e4m3fnuz a, float b);
inline float operator*(Float8_e4m3fnuz a, float b);
inline float operator/(Float8_e4m3fnuz a, float b)
__attribute__((no_sanitize("float-divide-by-zero")));
inline float operator+(float a, Float8_e4m3fnuz b);
inline float operator-(float a, Float8_e4m3fnuz b);
inline float operator*(float a, Float8_e4m3fnuz b);
inline float operator/(float a, Float8_e4m3fnuz b)
__attribute__((no_sanitize("float-divide-by-zero")));
inline float& operator+=(float& a, const Float8_e4m3fnuz& b);
inline float& operator-=(float& a, const Float8_e4m3fnuz& b);
inline float& operator*=(float& a, const Float8_e4m3fnuz& b);
inline float& operator/=(float& a, const Float8_e4m3fnuz& b);
inline double operator+(Float8_e4m3fnuz a, double b);
inline double operator-(Float8_e4m3fnuz a, double b);
inline double operator*(Float8_e4m3fnuz a, double b);
inline double operator/(Float8_e4m3fnuz a, double b)
__attribute__((no_sanitize("float-divide-by-zero")));
inline double operator+(double a, Float8_e4m3fnuz b);
inline double operator-(double a, Float8_e4m3fnuz b);
inline double operator*(double a, Float8_e4m3fnuz b);
inline double operator/(double a, Float8_e4m3fnuz b)
__attribute__((no_sanitize("float-divide-by-zero")));
inline Float8_e4m3fnuz operator+(Float8_e4m3fnuz a, int b);
inline Float8_e4m3fnuz operator-(Float8_e4m3fnuz a, int b);
inline Float8_e4m3fnuz operator*(Float8_e4m3fnuz a, int b);
inline Float8_e4m3fnuz operator/(Float8_e4m3fnuz a, int b);
inline Float8_e4m3fnuz operator+(int a, Float8_e4m3fnuz b);
inline Float8_e4m3fnuz operator-(int a, Float8_e4m3fnuz b);
inline Float8_e4m3fnuz operator*(int a, Float8_e4m3fnuz b);
inline Float8_e4m3fnuz operator/(int a, Float8_e4m3fnuz b);
inline Float8_e4m3fnuz operator+(Float8_e4m3fnuz a, int64_t b);
inline Float8_e4m3fnuz operator-(Float8_e4m3fnuz a, int64_t b);
inline Float8_e4m3fnuz operator*(Float8_e4m3fnuz a, int64_t b);
inline Float8_e4m3fnuz operator/(Float8_e4m3fnuz a, int64_t b);
inline Float8_e4m3fnuz operator+(int64_t a, Float8_e4m3fnuz b);
inline Float8_e4m3fnuz operator-(int64_t a, Float8_e4m3fnuz b);
inline Float8_e4m3fnuz operator*(int64_t a, Float8_e4m3fnuz b);
inline Float8_e4m3fnuz operator/(int64_t a, Float8_e4m3fnuz b);
}
namespace std {
template <>
class numeric_limits<c10::Float8_e4m3fnuz> {
public:
static constexpr bool is_signed = true;
static constexpr int digits = 4;
static constexpr c10::Float8_e4m3fnuz min() {
return c10::Float8_e4m3fnuz(0x08, c10::Float8_e4m3fnuz::from_bits());
}
static constexpr c10::Float8_e4m3fnuz infinity() {
return c10::Float8_e4m3fnuz(0x80, c10::Float8_e4m3fnuz::from_bits());
}
};
}
