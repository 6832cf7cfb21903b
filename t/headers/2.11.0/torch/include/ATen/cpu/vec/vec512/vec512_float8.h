#pragma once
#include <ATen/cpu/vec/vec_base.h>
#include <stddef.h>
#include <stdint.h>
namespace at::vec {
inline namespace CPU_CAPABILITY {
template <typename T>
class Vectorizedf8 {
private:
__m512i values;
public:
using value_type = uint8_t;
using size_type = int;
static constexpr size_type size() {
return 64;
}
Vectorizedf8();
Vectorizedf8(__m512i v);
Vectorizedf8(T val);
operator __m512i() const;
T& operator[](int idx) = delete;
const T& operator[](int idx) const = delete;
static Vectorized<T> loadu(const void* ptr, int16_t count = size());
void store(void* ptr, int count = size()) const;
Vectorized<T> inline operator==(const Vectorizedf8<T>& other) const;
Vectorized<T> inline operator!=(const Vectorizedf8<T>& other) const;
Vectorized<T> inline operator>(const Vectorizedf8<T>& other) const;
Vectorized<T> inline operator>=(const Vectorizedf8<T>& other) const;
Vectorized<T> inline operator<(const Vectorizedf8<T>& other) const;
Vectorized<T> inline operator<=(const Vectorizedf8<T>& other) const;
};
template <>
class Vectorized<Float8_e4m3fn> : public Vectorizedf8<Float8_e4m3fn> {
public:
using Vectorizedf8::Vectorizedf8;
using value_type = Float8_e4m3fn;
};
Vectorized<Float8_e4m3fn> inline operator+(
const Vectorized<Float8_e4m3fn>& a,
const Vectorized<Float8_e4m3fn>& b);
Vectorized<Float8_e4m3fn> inline operator-(
const Vectorized<Float8_e4m3fn>& a,
const Vectorized<Float8_e4m3fn>& b);
Vectorized<Float8_e4m3fn> inline operator*(
const Vectorized<Float8_e4m3fn>& a,
const Vectorized<Float8_e4m3fn>& b);
Vectorized<Float8_e4m3fn> inline operator/(
const Vectorized<Float8_e4m3fn>& a,
const Vectorized<Float8_e4m3fn>& b);
Vectorized<Float8_e4m3fn> inline operator&(
const Vectorized<Float8_e4m3fn>& a,
const Vectorized<Float8_e4m3fn>& b);
template <>
class Vectorized<Float8_e5m2> : public Vectorizedf8<Float8_e5m2> {
public:
using Vectorizedf8::Vectorizedf8;
using value_type = Float8_e5m2;
};
Vectorized<Float8_e5m2> inline operator+(
const Vectorized<Float8_e5m2>& a,
const Vectorized<Float8_e5m2>& b);
Vectorized<Float8_e5m2> inline operator-(
const Vectorized<Float8_e5m2>& a,
const Vectorized<Float8_e5m2>& b);
Vectorized<Float8_e5m2> inline operator*(
const Vectorized<Float8_e5m2>& a,
const Vectorized<Float8_e5m2>& b);
Vectorized<Float8_e5m2> inline operator/(
const Vectorized<Float8_e5m2>& a,
const Vectorized<Float8_e5m2>& b);
Vectorized<Float8_e5m2> inline operator&(
const Vectorized<Float8_e5m2>& a,
const Vectorized<Float8_e5m2>& b);
}
}
