#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/bit_cast.h>
#include <torch/headeronly/util/floating_point_utils.h>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <torch/headeronly/cpu/vec/vec_half.h>
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
constexpr Half(unsigned short bits, from_bits_t )
: x(bits) {}
inline Half(float value);
inline operator float() const;
};
inline std::ostream& operator<<(std::ostream& out, const Half& value);
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
namespace torch {
namespace headeronly __attribute__((visibility("hidden"))) {
using c10::Half;
}
}
namespace std {
template <>
class numeric_limits<c10::Half> {
public:
static constexpr c10::Half infinity() {
return c10::Half(0x7C00, c10::Half::from_bits());
}
};
}
