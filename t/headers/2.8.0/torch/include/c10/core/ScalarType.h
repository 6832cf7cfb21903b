#pragma once
#include <c10/util/BFloat16.h>
#include <c10/util/Exception.h>
#include <c10/util/Float4_e2m1fn_x2.h>
#include <c10/util/Float8_e4m3fn.h>
#include <c10/util/Float8_e4m3fnuz.h>
#include <c10/util/Float8_e5m2.h>
#include <c10/util/Float8_e5m2fnuz.h>
#include <c10/util/Float8_e8m0fnu.h>
#include <c10/util/Half.h>
#include <c10/util/bits.h>
#include <c10/util/complex.h>
#include <c10/util/qint32.h>
#include <c10/util/qint8.h>
#include <c10/util/quint2x4.h>
#include <c10/util/quint4x2.h>
#include <c10/util/quint8.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>
#include <type_traits>
#include <unordered_map>
namespace c10 {
template <unsigned int N>
struct dummy_uint1_7_t {
};
template <unsigned int N>
struct dummy_int1_7_t {
};
enum class ScalarType : int8_t {
Byte, Char, Short, Int, Long, Half, Float, Double, ComplexHalf, ComplexFloat, ComplexDouble, Bool, QInt8, QUInt8, QInt32, BFloat16, QUInt4x2, QUInt2x4, Bits1x8, Bits2x4, Bits4x2, Bits8, Bits16, Float8_e5m2, Float8_e4m3fn, Float8_e5m2fnuz, Float8_e4m3fnuz, UInt16, UInt32, UInt64, UInt1, UInt2, UInt3, UInt4, UInt5, UInt6, UInt7, Int1, Int2, Int3, Int4, Int5, Int6, Int7, Float8_e8m0fnu, Float4_e2m1fn_x2,
Undefined,
NumOptions
};
namespace impl {
template <c10::ScalarType N>
struct ScalarTypeToCPPType;
template <> struct ScalarTypeToCPPType<c10::ScalarType::Byte> {
using type = uint8_t;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Char> {
using type = int8_t;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::ComplexDouble> {
using type = c10::complex<double>;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Bool> {
using type = bool;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::QInt8> {
using type = c10::qint8;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::QUInt8> {
using type = c10::quint8;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::QInt32> {
using type = c10::qint32;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::BFloat16> {
using type = at::BFloat16;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::QUInt4x2> {
using type = c10::quint4x2;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::QUInt2x4> {
using type = c10::quint2x4;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Bits1x8> {
using type = c10::bits1x8;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Bits2x4> {
using type = c10::bits2x4;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Short> {
using type = int16_t;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Bits4x2> {
using type = c10::bits4x2;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Bits8> {
using type = c10::bits8;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Bits16> {
using type = c10::bits16;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Float8_e5m2> {
using type = c10::Float8_e5m2;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Float8_e4m3fn> {
using type = c10::Float8_e4m3fn;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Float8_e5m2fnuz> {
using type = c10::Float8_e5m2fnuz;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Float8_e4m3fnuz> {
using type = c10::Float8_e4m3fnuz;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::UInt16> {
using type = uint16_t;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::UInt32> {
using type = uint32_t;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::UInt64> {
using type = uint64_t;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Int> {
using type = int;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::UInt1> {
using type = c10::dummy_uint1_7_t<1>;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::UInt2> {
using type = c10::dummy_uint1_7_t<2>;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::UInt3> {
using type = c10::dummy_uint1_7_t<3>;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::UInt4> {
using type = c10::dummy_uint1_7_t<4>;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::UInt5> {
using type = c10::dummy_uint1_7_t<5>;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::UInt6> {
using type = c10::dummy_uint1_7_t<6>;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::UInt7> {
using type = c10::dummy_uint1_7_t<7>;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Int1> {
using type = c10::dummy_int1_7_t<1>;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Int2> {
using type = c10::dummy_int1_7_t<2>;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Int3> {
using type = c10::dummy_int1_7_t<3>;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Long> {
using type = int64_t;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Int4> {
using type = c10::dummy_int1_7_t<4>;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Int5> {
using type = c10::dummy_int1_7_t<5>;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Int6> {
using type = c10::dummy_int1_7_t<6>;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Int7> {
using type = c10::dummy_int1_7_t<7>;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Float8_e8m0fnu> {
using type = c10::Float8_e8m0fnu;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Float4_e2m1fn_x2> {
using type = c10::Float4_e2m1fn_x2;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Half> {
using type = at::Half;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Float> {
using type = float;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::Double> {
using type = double;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::ComplexHalf> {
using type = c10::complex<c10::Half>;
static type t;
};
template <> struct ScalarTypeToCPPType<c10::ScalarType::ComplexFloat> {
using type = c10::complex<float>;
static type t;
};
}
inline std::ostream& operator<<(
std::ostream& stream,
at::ScalarType scalar_type);
}
