#pragma once
#include <array>
#include <algorithm>
#include <cassert>
#include <cstring>
#include <functional>
#include <cmath>
#include <type_traits>
#include <climits>
#include <ATen/AccumulateType.h>
#include <ATen/NumericUtils.h>
#include <c10/macros/Macros.h>
#include <string>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/MathConstants.h>
#include <cfloat>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <c10/util/BFloat16-math.h>
#include <c10/util/copysign.h>
#include <ATen/native/cpu/zmath.h>
#include <c10/util/TypeCast.h>
#include <c10/util/irange.h>
#include <c10/util/Load.h>
namespace at::vec {
inline namespace CPU_CAPABILITY {
template <typename T>
struct is_floating_point:
std::integral_constant<bool,
std::is_floating_point_v<T> ||
std::is_same_v<T, at::Half> ||
std::is_same_v<T, at::BFloat16>> {
};
template<typename T>
constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <typename T>
struct is_reduced_floating_point:
std::integral_constant<bool,
std::is_same_v<T, at::Half> ||
std::is_same_v<T, at::BFloat16>> {
};
template <class T>
struct Vectorized {
private:
__attribute__((aligned(64))) T values[64 / sizeof(T)];
public:
using value_type = T;
using size_type = int;
static constexpr size_type kSize = 64 / sizeof(T);
static constexpr size_type size() {
return kSize;
}
Vectorized();
Vectorized(T val);
template<typename... Args,
typename = std::enable_if_t<(sizeof...(Args) == size())>>
Vectorized(Args... vals);
Vectorized(const T(&arr)[kSize]);
inline operator const T*() const;
inline operator T*();
static Vectorized<T> set(const Vectorized<T>& a, const Vectorized<T>& b, int64_t count = size());
static Vectorized<T> loadu(const void* ptr);
static Vectorized<T> loadu(const void* ptr, int64_t count);
void store(void* ptr, int count = size()) const;
Vectorized<T> map(T (*const f)(T)) const;
Vectorized<T> map(T (*const f)(const T &)) const;
template <typename other_t_real = T,
typename std::enable_if_t<!c10::is_complex<other_t_real>::value, int> = 0>
Vectorized<T> real() const;
template <typename complex_t_real = T,
typename std::enable_if_t<c10::is_complex<complex_t_real>::value, int> = 0>
Vectorized<T> real() const;
template <typename other_t_imag = T,
typename std::enable_if_t<!c10::is_complex<other_t_imag>::value, int> = 0>
Vectorized<T> imag() const;
template <typename complex_t_imag = T,
typename std::enable_if_t<c10::is_complex<complex_t_imag>::value, int> = 0>
Vectorized<T> imag() const;
Vectorized<T> erf() const;
Vectorized<T> exp() const;
Vectorized<T> log() const;
template <typename other_t_log2 = T,
typename std::enable_if_t<!c10::is_complex<other_t_log2>::value, int> = 0>
Vectorized<T> log2() const;
template <typename complex_t_log2 = T,
typename std::enable_if_t<c10::is_complex<complex_t_log2>::value, int> = 0>
Vectorized<T> log2() const;
Vectorized<T> neg() const;
Vectorized<T> sin() const;
private:
public:
Vectorized<T> operator==(const Vectorized<T>& other) const;
Vectorized<T> operator!=(const Vectorized<T>& other) const;
Vectorized<T> operator>=(const Vectorized<T>& other) const;
Vectorized<T> operator<=(const Vectorized<T>& other) const;
Vectorized<T> operator>(const Vectorized<T>& other) const;
Vectorized<T> operator<(const Vectorized<T>& other) const;
private:
public:
};
template <class T> Vectorized<T> inline operator+(const Vectorized<T> &a, const Vectorized<T> &b);
template <class T> Vectorized<T> inline operator-(const Vectorized<T> &a, const Vectorized<T> &b);
template <class T> Vectorized<T> inline operator*(const Vectorized<T> &a, const Vectorized<T> &b);
template <class T> Vectorized<T> inline operator/(const Vectorized<T> &a, const Vectorized<T> &b) __attribute__((no_sanitize("float-divide-by-zero")));
template <class T,
typename std::enable_if_t<!is_floating_point_v<T>, int> = 0>
Vectorized<T> inline operator%(const Vectorized<T> &a, const Vectorized<T> &b) __attribute__((no_sanitize("float-divide-by-zero")));
template <class T> Vectorized<T> inline operator||(
const Vectorized<T> &a, const Vectorized<T> &b);
template <class T,
typename std::enable_if_t<!c10::is_complex<T>::value, int> = 0>
Vectorized<T> inline maximum(const Vectorized<T> &a, const Vectorized<T> &b);
template <class T,
typename std::enable_if_t<c10::is_complex<T>::value, int> = 0>
Vectorized<T> inline maximum(const Vectorized<T> &a, const Vectorized<T> &b);
template <class T,
typename std::enable_if_t<!c10::is_complex<T>::value, int> = 0>
Vectorized<T> inline clamp_min(const Vectorized<T> &a, const Vectorized<T> &min_vec);
struct Vectorizedi;
template<class T, typename std::enable_if_t<!std::is_base_of<Vectorizedi, Vectorized<T>>::value, int> = 0>
inline Vectorized<T> operator&(const Vectorized<T>& a, const Vectorized<T>& b);
template<class T, typename std::enable_if_t<!std::is_base_of<Vectorizedi, Vectorized<T>>::value, int> = 0>
inline Vectorized<T> operator|(const Vectorized<T>& a, const Vectorized<T>& b);
template<class T, typename std::enable_if_t<!std::is_base_of<Vectorizedi, Vectorized<T>>::value, int> = 0>
inline Vectorized<T> operator^(const Vectorized<T>& a, const Vectorized<T>& b);
template<class T, typename std::enable_if_t<!std::is_base_of_v<Vectorizedi, Vectorized<T>>, int> = 0>
inline Vectorized<T> operator~(const Vectorized<T>& a);
template <class T> Vectorized<T> inline operator<<(const Vectorized<T> &a, const Vectorized<T> &b);
template <class T> Vectorized<T> inline operator>>(const Vectorized<T> &a, const Vectorized<T> &b);
template <typename T>
inline Vectorized<T>& operator += (Vectorized<T>& a, const Vectorized<T>& b);
template <typename T>
inline Vectorized<T>& operator -= (Vectorized<T>& a, const Vectorized<T>& b);
template <typename T>
inline Vectorized<T>& operator /= (Vectorized<T>& a, const Vectorized<T>& b);
template <typename T>
inline Vectorized<T>& operator %= (Vectorized<T>& a, const Vectorized<T>& b);
template <typename T>
inline Vectorized<T>& operator *= (Vectorized<T>& a, const Vectorized<T>& b);
template <typename T>
inline Vectorized<T>& operator <<= (Vectorized<T>& a, const Vectorized<T>& b);
template <typename T>
inline Vectorized<T>& operator >>= (Vectorized<T>& a, const Vectorized<T>& b);
template <typename T>
Vectorized<T> inline operator&&(
const Vectorized<T>& a,
const Vectorized<T>& b);
}
}
#include <ATen/cpu/vec/vec_n.h>
#include <ATen/cpu/vec/vec_mask.h>
#include <ATen/cpu/vec/vec_convert.h>
