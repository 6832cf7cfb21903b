#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Float8_fnuz_cvt.h>
#include <torch/headeronly/util/floating_point_utils.h>
#include <limits>
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
constexpr Float8_e4m3fnuz(
uint8_t bits,
from_bits_t )
: x(bits) {}
inline Float8_e4m3fnuz(float value);
inline operator float() const;
};
inline std::ostream& operator<<(
std::ostream& out,
const Float8_e4m3fnuz& value);
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
namespace torch {
namespace headeronly __attribute__((visibility("hidden"))) {
using c10::Float8_e4m3fnuz;
}
}
namespace std {
template <>
class numeric_limits<c10::Float8_e4m3fnuz> {
public:
static constexpr c10::Float8_e4m3fnuz infinity() {
return c10::Float8_e4m3fnuz(0x80, c10::Float8_e4m3fnuz::from_bits());
}
};
}
