#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/bit_cast.h>
#include <cstring>
#include <limits>
#include <ATen/cpu/vec/vec_half.h>
namespace c10 {
inline Half operator+(const Half& a, const Half& b);
inline Half operator-(const Half& a, const Half& b);
inline Half operator*(const Half& a, const Half& b);
inline Half operator/(const Half& a, const Half& b)
__attribute__((no_sanitize("float-divide-by-zero")));
inline Half operator-(const Half& a);
inline Half& operator+=(Half& a, const Half& b);
inline Half& operator-=(Half& a, const Half& b);
inline Half& operator*=(Half& a, const Half& b);
inline Half& operator/=(Half& a, const Half& b);
inline float operator+(Half a, float b);
inline float operator-(Half a, float b);
inline float operator*(Half a, float b);
inline float operator/(Half a, float b)
__attribute__((no_sanitize("float-divide-by-zero")));
inline float operator+(float a, Half b);
inline float operator-(float a, Half b);
inline float operator*(float a, Half b);
inline float operator/(float a, Half b)
__attribute__((no_sanitize("float-divide-by-zero")));
inline float& operator+=(float& a, const Half& b);
inline float& operator-=(float& a, const Half& b);
inline float& operator*=(float& a, const Half& b);
inline float& operator/=(float& a, const Half& b);
inline double operator+(Half a, double b);
inline double operator-(Half a, double b);
inline double operator*(Half a, double b);
inline double operator/(Half a, double b)
__attribute__((no_sanitize("float-divide-by-zero")));
inline double operator+(double a, Half b);
inline double operator-(double a, Half b);
inline double operator*(double a, Half b);
inline double operator/(double a, Half b)
__attribute__((no_sanitize("float-divide-by-zero")));
inline Half operator+(Half a, int b);
inline Half operator-(Half a, int b);
inline Half operator*(Half a, int b);
inline Half operator/(Half a, int b);
inline Half operator+(int a, Half b);
inline Half operator-(int a, Half b);
inline Half operator*(int a, Half b);
inline Half operator/(int a, Half b);
inline Half operator+(Half a, int64_t b);
inline Half operator-(Half a, int64_t b);
inline Half operator*(Half a, int64_t b);
inline Half operator/(Half a, int64_t b);
inline Half operator+(int64_t a, Half b);
inline Half operator-(int64_t a, Half b);
inline Half operator*(int64_t a, Half b);
inline Half operator/(int64_t a, Half b);
}
namespace std {
template <>
class numeric_limits<c10::Half> {
public:
static constexpr bool is_signed = true;
static constexpr int digits = 11;
static constexpr c10::Half min() {
return c10::Half(0x0400, c10::Half::from_bits());
}
static constexpr c10::Half infinity() {
return c10::Half(0x7C00, c10::Half::from_bits());
}
};
}
