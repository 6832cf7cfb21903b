#pragma once
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <c10/core/OptionalRef.h>
#include <c10/core/ScalarType.h>
#include <c10/core/SymBool.h>
#include <c10/core/SymFloat.h>
#include <c10/core/SymInt.h>
#include <c10/core/SymNodeImpl.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/Half.h>
#include <c10/util/TypeCast.h>
#include <c10/util/complex.h>
#include <c10/util/intrusive_ptr.h>
#include <c10/util/overflows.h>
namespace c10 {
class __attribute__((__visibility__("default"))) Scalar {
public:
Scalar();
~Scalar();
Scalar(uint8_t vv);
Scalar(int8_t vv);
Scalar(decltype(::c10::impl::ScalarTypeToCPPType< ::c10::ScalarType::Float8_e4m3fn>::t) vv);
Scalar(decltype(::c10::impl::ScalarTypeToCPPType< ::c10::ScalarType::Float8_e5m2fnuz>::t) vv);
Scalar(decltype(::c10::impl::ScalarTypeToCPPType< ::c10::ScalarType::Float8_e4m3fnuz>::t) vv);
Scalar(decltype(::c10::impl::ScalarTypeToCPPType< ::c10::ScalarType::ComplexHalf>::t) vv);
Scalar(int16_t vv);
Scalar(int vv);
Scalar(int64_t vv);
Scalar(float vv);
Scalar(double vv);
Scalar(decltype(::c10::impl::ScalarTypeToCPPType< ::c10::ScalarType::Half>::t) vv);
Scalar(decltype(::c10::impl::ScalarTypeToCPPType< ::c10::ScalarType::BFloat16>::t) vv);
Scalar(decltype(::c10::impl::ScalarTypeToCPPType< ::c10::ScalarType::Float8_e5m2>::t) vv);
Scalar(c10::complex<float> vv);
Scalar(c10::complex<double> vv);
Scalar(long long vv);
Scalar(uint16_t vv);
Scalar(uint32_t vv);
Scalar(uint64_t vv);
template <
typename T,
typename std::enable_if_t<std::is_same_v<T, bool>, bool>* = nullptr>
Scalar(T vv);
template <
typename T,
typename std::enable_if_t<std::is_same_v<T, c10::SymBool>, bool>* =
nullptr>
Scalar(T vv);
template <typename T>
T to() const = delete;
const void* data_ptr() const;
__attribute__((__always_inline__)) inline Scalar& operator=(Scalar&& other) noexcept;
__attribute__((__always_inline__)) inline Scalar& operator=(const Scalar& other);
Scalar operator-() const;
template <
typename T,
typename std::enable_if_t<!c10::is_complex<T>::value, int> = 0>
bool equal(T num) const;
template <
typename T,
typename std::enable_if_t<c10::is_complex<T>::value, int> = 0>
bool equal(T num) const;
bool equal(bool num) const;
ScalarType type() const;
Scalar(Scalar&& rhs) noexcept;
Scalar(const Scalar& rhs);
Scalar(c10::SymInt si);
Scalar(c10::SymFloat sd);
Scalar(c10::SymBool sb);
private:
enum class Tag { HAS_d, HAS_i, HAS_u, HAS_z, HAS_b, HAS_sd, HAS_si, HAS_sb };
Tag tag;
union v_t {
double d{};
int64_t i;
uint64_t u;
c10::complex<double> z;
c10::intrusive_ptr_target* p;
v_t();
} v;
template <
typename T,
typename std::enable_if_t<
std::is_integral_v<T> && !std::is_same_v<T, bool>,
bool>* = nullptr>
Scalar(T vv, bool);
template <
typename T,
typename std::enable_if_t<
!std::is_integral_v<T> && !c10::is_complex<T>::value,
bool>* = nullptr>
Scalar(T vv, bool);
template <
typename T,
typename std::enable_if_t<c10::is_complex<T>::value, bool>* = nullptr>
Scalar(T vv, bool);
};
}
