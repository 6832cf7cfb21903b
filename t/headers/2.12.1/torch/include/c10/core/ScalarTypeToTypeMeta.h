#pragma once
#include <torch/headeronly/util/BFloat16.h>
#include <c10/util/Exception.h>
#include <torch/headeronly/util/Float4_e2m1fn_x2.h>
#include <torch/headeronly/util/Float8_e4m3fn.h>
#include <torch/headeronly/util/Float8_e4m3fnuz.h>
#include <torch/headeronly/util/Float8_e5m2.h>
#include <torch/headeronly/util/Float8_e5m2fnuz.h>
#include <torch/headeronly/util/Float8_e8m0fnu.h>
#include <torch/headeronly/util/Half.h>
#include <ATen/cpu/vec/vec_half.h>
#include <torch/headeronly/util/bits.h>
#include <c10/util/complex.h>
#include <torch/headeronly/util/qint32.h>
#include <torch/headeronly/util/qint8.h>
#include <torch/headeronly/util/quint2x4.h>
#include <torch/headeronly/util/quint4x2.h>
#include <torch/headeronly/util/quint8.h>
#include <array>
#include <cstddef>
#include <limits>
#include <ostream>
#include <type_traits>
#include <unordered_map>
#include <torch/headeronly/core/ScalarType.h>
#include <c10/util/Optional.h>
#include <c10/util/typeid.h>
namespace c10 {
inline bool operator==(ScalarType t, caffe2::TypeMeta m);
inline bool operator==(caffe2::TypeMeta m, ScalarType t);
inline bool operator!=(ScalarType t, caffe2::TypeMeta m);
inline bool operator!=(caffe2::TypeMeta m, ScalarType t);
}
