#pragma once
#include <ATen/cpu/vec/vec_base.h>
#include <c10/util/irange.h>
#include <stddef.h>
#include <stdint.h>
namespace at {
namespace vec {
inline namespace CPU_CAPABILITY {
template <typename T>
class Vectorized16 {
private:
__m512i values;
public:
using value_type = uint16_t;
using size_type = int;
static constexpr size_type size() {
return 32;
}
Vectorized16();
Vectorized16(__m512i v);
Vectorized16(T val);
Vectorized16(T val1, T val2, T val3, T val4,
T val5, T val6, T val7, T val8,
T val9, T val10, T val11, T val12,
T val13, T val14, T val15, T val16,
T val17, T val18, T val19, T val20,
T val21, T val22, T val23, T val24,
T val25, T val26, T val27, T val28,
T val29, T val30, T val31, T val32);
operator __m512i() const;
T& operator[](int idx) = delete;
const T& operator[](int idx) const = delete;
static Vectorized<T> loadu(const void* ptr, int16_t count = size());
void store(void* ptr, int count = size()) const;
static Vectorized<T> set(const Vectorized<T>& a,
const Vectorized<T>& b, int64_t count = size());
Vectorized<T> map(__attribute__((const)) __m512 (* vop)(__m512)) const;
Vectorized<T> real() const;
Vectorized<T> imag() const;
Vectorized<T> erf() const;
Vectorized<T> exp() const;
Vectorized<T> log() const;
Vectorized<T> log2() const;
Vectorized<T> sin() const;
Vectorized<T> neg() const;
private:
public:
Vectorized<T> inline operator>(const Vectorized<T>& other) const;
Vectorized<T> inline operator<(const Vectorized<T>& other) const;
Vectorized<T> inline operator>=(const Vectorized<T>& other) const;
Vectorized<T> inline operator<=(const Vectorized<T>& other) const;
Vectorized<T> inline operator==(const Vectorized<T>& other) const;
Vectorized<T> inline operator!=(const Vectorized<T>& other) const;
};
template <>
class Vectorized<BFloat16>: public Vectorized16<BFloat16> {
public:
using Vectorized16::Vectorized16;
using value_type = BFloat16;
};
Vectorized<BFloat16> inline operator+(const Vectorized<BFloat16>& a, const Vectorized<BFloat16>& b);
Vectorized<BFloat16> inline operator-(const Vectorized<BFloat16>& a, const Vectorized<BFloat16>& b);
Vectorized<BFloat16> inline operator*(const Vectorized<BFloat16>& a, const Vectorized<BFloat16>& b);
Vectorized<BFloat16> inline operator/(const Vectorized<BFloat16>& a, const Vectorized<BFloat16>& b);
Vectorized<BFloat16> inline operator&(const Vectorized<BFloat16>& a, const Vectorized<BFloat16>& b);
Vectorized<BFloat16> inline operator|(const Vectorized<BFloat16>& a, const Vectorized<BFloat16>& b);
Vectorized<BFloat16> inline operator^(const Vectorized<BFloat16>& a, const Vectorized<BFloat16>& b);
template <>
Vectorized<BFloat16> inline maximum(const Vectorized<BFloat16>& a, const Vectorized<BFloat16>& b);
template <>
Vectorized<BFloat16> inline clamp_min(const Vectorized<BFloat16>& a, const Vectorized<BFloat16>& min);
template <>
class Vectorized<Half>: public Vectorized16<Half> {
public:
using Vectorized16::Vectorized16;
using value_type = Half;
};
Vectorized<Half> inline operator+(const Vectorized<Half>& a, const Vectorized<Half>& b);
Vectorized<Half> inline operator-(const Vectorized<Half>& a, const Vectorized<Half>& b);
Vectorized<Half> inline operator*(const Vectorized<Half>& a, const Vectorized<Half>& b);
Vectorized<Half> inline operator/(const Vectorized<Half>& a, const Vectorized<Half>& b);
Vectorized<Half> inline operator&(const Vectorized<Half>& a, const Vectorized<Half>& b);
Vectorized<Half> inline operator|(const Vectorized<Half>& a, const Vectorized<Half>& b);
Vectorized<Half> inline operator^(const Vectorized<Half>& a, const Vectorized<Half>& b);
template <>
Vectorized<Half> inline maximum(const Vectorized<Half>& a, const Vectorized<Half>& b);
template <>
Vectorized<Half> inline clamp_min(const Vectorized<Half>& a, const Vectorized<Half>& min);
}
}
}
