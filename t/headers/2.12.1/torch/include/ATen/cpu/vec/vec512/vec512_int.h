#pragma once
#include <ATen/cpu/vec/vec_base.h>
#include <torch/headeronly/macros/Macros.h>
#include <c10/util/irange.h>
namespace at::vec {
inline namespace CPU_CAPABILITY {
struct Vectorizedi {
protected:
__m512i values;
public:
Vectorizedi();
Vectorizedi(__m512i v);
operator __m512i() const;
};
template <>
class Vectorized<int64_t> : public Vectorizedi {
private:
public:
using size_type = int;
static constexpr size_type size() {
return 8;
}
using Vectorizedi::Vectorizedi;
Vectorized();
Vectorized(int64_t v);
Vectorized(
int64_t val1,
int64_t val2,
int64_t val3,
int64_t val4,
int64_t val5,
int64_t val6,
int64_t val7,
int64_t val8);
static Vectorized<int64_t> set(
Vectorized<int64_t> a,
Vectorized<int64_t> b,
int64_t count = size());
static Vectorized<int64_t> loadu(const void* ptr);
static Vectorized<int64_t> loadu(const void* ptr, int64_t count);
void store(void* ptr, int count = size()) const;
const int64_t& operator[](int idx) const = delete;
int64_t& operator[](int idx) = delete;
Vectorized<int64_t> real() const;
Vectorized<int64_t> imag() const;
Vectorized<int64_t> operator==(const Vectorized<int64_t>& other) const;
Vectorized<int64_t> operator!=(const Vectorized<int64_t>& other) const;
Vectorized<int64_t> operator<(const Vectorized<int64_t>& other) const;
Vectorized<int64_t> operator<=(const Vectorized<int64_t>& other) const;
Vectorized<int64_t> operator>(const Vectorized<int64_t>& other) const;
Vectorized<int64_t> operator>=(const Vectorized<int64_t>& other) const;
};
template <>
class Vectorized<int32_t> : public Vectorizedi {
private:
public:
static constexpr int size() {
return 16;
}
using Vectorizedi::Vectorizedi;
Vectorized();
Vectorized(int32_t v);
Vectorized(
int32_t val1,
int32_t val2,
int32_t val3,
int32_t val4,
int32_t val5,
int32_t val6,
int32_t val7,
int32_t val8,
int32_t val9,
int32_t val10,
int32_t val11,
int32_t val12,
int32_t val13,
int32_t val14,
int32_t val15,
int32_t val16);
static Vectorized<int32_t> set(
Vectorized<int32_t> a,
Vectorized<int32_t> b,
int32_t count = size());
static Vectorized<int32_t> loadu(const void* ptr);
static Vectorized<int32_t> loadu(const void* ptr, int32_t count);
void store(void* ptr, int count = size()) const;
const int32_t& operator[](int idx) const = delete;
int32_t& operator[](int idx) = delete;
Vectorized<int32_t> real() const;
Vectorized<int32_t> imag() const;
Vectorized<int32_t> operator==(const Vectorized<int32_t>& other) const;
Vectorized<int32_t> operator!=(const Vectorized<int32_t>& other) const;
Vectorized<int32_t> operator<(const Vectorized<int32_t>& other) const;
Vectorized<int32_t> operator<=(const Vectorized<int32_t>& other) const;
Vectorized<int32_t> operator>(const Vectorized<int32_t>& other) const;
Vectorized<int32_t> operator>=(const Vectorized<int32_t>& other) const;
};
template <>
class Vectorized<int16_t> : public Vectorizedi {
private:
public:
static constexpr int size() {
return 32;
}
using Vectorizedi::Vectorizedi;
Vectorized();
Vectorized(int16_t v);
Vectorized(
int16_t val1,
int16_t val2,
int16_t val3,
int16_t val4,
int16_t val5,
int16_t val6,
int16_t val7,
int16_t val8,
int16_t val9,
int16_t val10,
int16_t val11,
int16_t val12,
int16_t val13,
int16_t val14,
int16_t val15,
int16_t val16,
int16_t val17,
int16_t val18,
int16_t val19,
int16_t val20,
int16_t val21,
int16_t val22,
int16_t val23,
int16_t val24,
int16_t val25,
int16_t val26,
int16_t val27,
int16_t val28,
int16_t val29,
int16_t val30,
int16_t val31,
int16_t val32);
static Vectorized<int16_t> set(
Vectorized<int16_t> a,
Vectorized<int16_t> b,
int16_t count = size());
static Vectorized<int16_t> loadu(const void* ptr);
static Vectorized<int16_t> loadu(const void* ptr, int16_t count);
void store(void* ptr, int count = size()) const;
const int16_t& operator[](int idx) const = delete;
int16_t& operator[](int idx) = delete;
Vectorized<int16_t> real() const;
Vectorized<int16_t> imag() const;
Vectorized<int16_t> operator==(const Vectorized<int16_t>& other) const;
Vectorized<int16_t> operator!=(const Vectorized<int16_t>& other) const;
Vectorized<int16_t> operator<(const Vectorized<int16_t>& other) const;
Vectorized<int16_t> operator<=(const Vectorized<int16_t>& other) const;
Vectorized<int16_t> operator>(const Vectorized<int16_t>& other) const;
Vectorized<int16_t> operator>=(const Vectorized<int16_t>& other) const;
};
template <typename T>
class Vectorized8 : public Vectorizedi {
protected:
public:
static constexpr int size() {
return 64;
}
using Vectorizedi::Vectorizedi;
Vectorized8();
Vectorized8(T v);
Vectorized8(
T val1,
T val2,
T val3,
T val4,
T val5,
T val6,
T val7,
T val8,
T val9,
T val10,
T val11,
T val12,
T val13,
T val14,
T val15,
T val16,
T val17,
T val18,
T val19,
T val20,
T val21,
T val22,
T val23,
T val24,
T val25,
T val26,
T val27,
T val28,
T val29,
T val30,
T val31,
T val32,
T val33,
T val34,
T val35,
T val36,
T val37,
T val38,
T val39,
T val40,
T val41,
T val42,
T val43,
T val44,
T val45,
T val46,
T val47,
T val48,
T val49,
T val50,
T val51,
T val52,
T val53,
T val54,
T val55,
T val56,
T val57,
T val58,
T val59,
T val60,
T val61,
T val62,
T val63,
T val64);
static Vectorized<T> set(Vectorized<T> a, Vectorized<T> b, T count = size());
static Vectorized<T> loadu(const void* ptr);
static Vectorized<T> loadu(const void* ptr, T count);
void store(void* ptr, int count = size()) const;
const T& operator[](int idx) const = delete;
T& operator[](int idx) = delete;
Vectorized<T> real() const;
Vectorized<T> imag() const;
};
template <>
class Vectorized<int8_t> : public Vectorized8<int8_t> {
public:
using Vectorized8::Vectorized8;
Vectorized<int8_t> operator==(const Vectorized<int8_t>& other) const;
Vectorized<int8_t> operator!=(const Vectorized<int8_t>& other) const;
Vectorized<int8_t> operator<(const Vectorized<int8_t>& other) const;
Vectorized<int8_t> operator<=(const Vectorized<int8_t>& other) const;
Vectorized<int8_t> operator>(const Vectorized<int8_t>& other) const;
Vectorized<int8_t> operator>=(const Vectorized<int8_t>& other) const;
};
template <>
class Vectorized<uint8_t> : public Vectorized8<uint8_t> {
public:
using Vectorized8::Vectorized8;
Vectorized<uint8_t> operator==(const Vectorized<uint8_t>& other) const;
Vectorized<uint8_t> operator!=(const Vectorized<uint8_t>& other) const;
Vectorized<uint8_t> operator<(const Vectorized<uint8_t>& other) const;
Vectorized<uint8_t> operator<=(const Vectorized<uint8_t>& other) const;
Vectorized<uint8_t> operator>(const Vectorized<uint8_t>& other) const;
Vectorized<uint8_t> operator>=(const Vectorized<uint8_t>& other) const;
};
template <>
Vectorized<int64_t> inline operator+(
const Vectorized<int64_t>& a,
const Vectorized<int64_t>& b);
template <>
Vectorized<int32_t> inline operator+(
const Vectorized<int32_t>& a,
const Vectorized<int32_t>& b);
template <>
Vectorized<int16_t> inline operator+(
const Vectorized<int16_t>& a,
const Vectorized<int16_t>& b);
template <>
Vectorized<int8_t> inline operator+(
const Vectorized<int8_t>& a,
const Vectorized<int8_t>& b);
template <>
Vectorized<uint8_t> inline operator+(
const Vectorized<uint8_t>& a,
const Vectorized<uint8_t>& b);
template <>
Vectorized<int64_t> inline operator-(
const Vectorized<int64_t>& a,
const Vectorized<int64_t>& b);
template <>
Vectorized<int32_t> inline operator-(
const Vectorized<int32_t>& a,
const Vectorized<int32_t>& b);
template <>
Vectorized<int16_t> inline operator-(
const Vectorized<int16_t>& a,
const Vectorized<int16_t>& b);
template <>
Vectorized<int8_t> inline operator-(
const Vectorized<int8_t>& a,
const Vectorized<int8_t>& b);
template <>
Vectorized<uint8_t> inline operator-(
const Vectorized<uint8_t>& a,
const Vectorized<uint8_t>& b);
template <>
Vectorized<int64_t> inline operator*(
const Vectorized<int64_t>& a,
const Vectorized<int64_t>& b);
template <>
Vectorized<int32_t> inline operator*(
const Vectorized<int32_t>& a,
const Vectorized<int32_t>& b);
template <>
Vectorized<int16_t> inline operator*(
const Vectorized<int16_t>& a,
const Vectorized<int16_t>& b);
template <>
Vectorized<int8_t> inline operator*(
const Vectorized<int8_t>& a,
const Vectorized<int8_t>& b);
template <>
Vectorized<uint8_t> inline operator*(
const Vectorized<uint8_t>& a,
const Vectorized<uint8_t>& b);
template <>
Vectorized<int64_t> inline maximum(
const Vectorized<int64_t>& a,
const Vectorized<int64_t>& b);
template <>
Vectorized<int32_t> inline maximum(
const Vectorized<int32_t>& a,
const Vectorized<int32_t>& b);
template <>
Vectorized<int16_t> inline maximum(
const Vectorized<int16_t>& a,
const Vectorized<int16_t>& b);
template <>
Vectorized<int8_t> inline maximum(
const Vectorized<int8_t>& a,
const Vectorized<int8_t>& b);
template <>
Vectorized<uint8_t> inline maximum(
const Vectorized<uint8_t>& a,
const Vectorized<uint8_t>& b);
template <>
Vectorized<int64_t> inline operator/(
const Vectorized<int64_t>& a,
const Vectorized<int64_t>& b);
template <>
Vectorized<int32_t> inline operator/(
const Vectorized<int32_t>& a,
const Vectorized<int32_t>& b);
template <>
Vectorized<int16_t> inline operator/(
const Vectorized<int16_t>& a,
const Vectorized<int16_t>& b);
template <>
Vectorized<int8_t> inline operator/(
const Vectorized<int8_t>& a,
const Vectorized<int8_t>& b);
template <>
Vectorized<uint8_t> inline operator/(
const Vectorized<uint8_t>& a,
const Vectorized<uint8_t>& b);
template <
class T,
typename std::enable_if_t<
std::is_base_of<Vectorizedi, Vectorized<T>>::value,
int> = 0>
inline Vectorized<T> operator&(const Vectorized<T>& a, const Vectorized<T>& b);
template <
class T,
typename std::enable_if_t<
std::is_base_of<Vectorizedi, Vectorized<T>>::value,
int> = 0>
inline Vectorized<T> operator|(const Vectorized<T>& a, const Vectorized<T>& b);
template <
class T,
typename std::enable_if_t<
std::is_base_of<Vectorizedi, Vectorized<T>>::value,
int> = 0>
inline Vectorized<T> operator^(const Vectorized<T>& a, const Vectorized<T>& b);
template <
class T,
typename std::enable_if_t<
std::is_base_of<Vectorizedi, Vectorized<T>>::value,
int> = 0>
inline Vectorized<T> operator~(const Vectorized<T>& a);
template <>
Vectorized<int64_t> inline operator<<(
const Vectorized<int64_t>& a,
const Vectorized<int64_t>& b);
template <>
Vectorized<int32_t> inline operator<<(
const Vectorized<int32_t>& a,
const Vectorized<int32_t>& b);
template <>
Vectorized<int16_t> inline operator<<(
const Vectorized<int16_t>& a,
const Vectorized<int16_t>& b);
template <>
Vectorized<int8_t> inline operator<<(
const Vectorized<int8_t>& a,
const Vectorized<int8_t>& b);
template <>
Vectorized<uint8_t> inline operator<<(
const Vectorized<uint8_t>& a,
const Vectorized<uint8_t>& b);
template <>
Vectorized<int64_t> inline operator>>(
const Vectorized<int64_t>& a,
const Vectorized<int64_t>& b);
template <>
Vectorized<int32_t> inline operator>>(
const Vectorized<int32_t>& a,
const Vectorized<int32_t>& b);
template <>
Vectorized<int16_t> inline operator>>(
const Vectorized<int16_t>& a,
const Vectorized<int16_t>& b);
template <>
Vectorized<int8_t> inline operator>>(
const Vectorized<int8_t>& a,
const Vectorized<int8_t>& b);
template <>
Vectorized<uint8_t> inline operator>>(
const Vectorized<uint8_t>& a,
const Vectorized<uint8_t>& b);
}
}
