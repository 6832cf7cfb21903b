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
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/BFloat16.h>
#include <c10/util/Exception.h>
#include <torch/headeronly/util/Half.h>
#include <ATen/cpu/vec/vec_half.h>
#include <torch/headeronly/util/Float8_e4m3fn.h>
#include <torch/headeronly/util/Float8_e4m3fnuz.h>
#include <torch/headeronly/util/Float8_e5m2.h>
#include <torch/headeronly/util/Float8_e5m2fnuz.h>
#include <torch/headeronly/util/Float8_e8m0fnu.h>
#include <c10/util/complex.h>
#include <torch/headeronly/util/TypeSafeSignMath.h>
#include <cmath>
#include <limits>
#include <torch/headeronly/util/overflows.h>
#include <c10/util/safe_conv.h>
#include <torch/headeronly/util/TypeCast.h>
#include <c10/util/intrusive_ptr.h>
#include <torch/headeronly/core/ScalarType.h>
namespace c10 {
class __attribute__((__visibility__("default"))) Scalar {
public:
Scalar();
~Scalar();
Scalar(uint8_t vv);
Scalar(int8_t vv);
Scalar(int16_t vv);
Scalar(int vv);
Scalar(int64_t vv);
Scalar(float vv);
Scalar(double vv);
Scalar(c10::impl::ScalarTypeToCPPTypeT<c10::ScalarType::Half> vv);
Scalar(c10::impl::ScalarTypeToCPPTypeT<c10::ScalarType::BFloat16> vv);
Scalar(c10::impl::ScalarTypeToCPPTypeT<c10::ScalarType::ComplexHalf> vv);
Scalar(c10::complex<float> vv);
Scalar(c10::complex<double> vv);
Scalar(c10::Float8_e5m2 vv);
Scalar(c10::Float8_e4m3fn vv);
Scalar(c10::Float8_e5m2fnuz vv);
Scalar(c10::Float8_e4m3fnuz vv);
Scalar(c10::Float8_e8m0fnu vv);
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
Scalar(T vv, bool );
template <
typename T,
typename std::enable_if_t<
!std::is_integral_v<T> && !c10::is_complex<T>::value,
bool>* = nullptr>
Scalar(T vv, bool );
template <
typename T,
typename std::enable_if_t<c10::is_complex<T>::value, bool>* = nullptr>
Scalar(T vv, bool );
};
}
