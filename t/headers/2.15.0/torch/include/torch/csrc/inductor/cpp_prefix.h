#pragma once
#include <omp.h>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <unordered_map>
#include <c10/util/hash.h>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>
#include <ATen/NumericUtils.h>
#include <ATen/core/PhiloxRNGEngine.h>
#include <c10/util/ArrayRef.h>
#include <torch/headeronly/util/BFloat16-math.h>
#include <torch/headeronly/util/BFloat16.h>
#include <torch/headeronly/util/Float8_e4m3fn.h>
#include <torch/headeronly/util/Float8_e4m3fnuz.h>
#include <torch/headeronly/util/Float8_e5m2.h>
#include <torch/headeronly/util/Float8_e5m2fnuz.h>
#include <torch/headeronly/util/Half.h>
#include <ATen/cpu/vec/vec_half.h>
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Float8_e8m0fnu.h>
#include <c10/util/complex.h>
#include <torch/headeronly/util/TypeSafeSignMath.h>
#include <torch/headeronly/util/overflows.h>
#include <c10/util/safe_conv.h>
#include <torch/headeronly/util/TypeCast.h>
#include <c10/util/generic_math.h>
#include <torch/headeronly/util/irange.h>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <ATen/cpu/vec/functional_base.h>
#include <ATen/cpu/vec/functional_bfloat16.h>
#include <ATen/cpu/vec/vec.h>
template <typename T>
inline T max_masked_reduce(const T& a, const T& b, const int64_t tail_size);
template <>
inline at::vec::VecMask<float, 1> max_masked_reduce(
const at::vec::VecMask<float, 1>& a,
const at::vec::VecMask<float, 1>& b,
const int64_t tail_size);
template <typename T>
inline T sum_masked_reduce(const T& a, const T& b, const int64_t tail_size);
template <>
inline at::vec::VecMask<float, 1> sum_masked_reduce(
const at::vec::VecMask<float, 1>& a,
const at::vec::VecMask<float, 1>& b,
const int64_t tail_size);
inline std::atomic<int>* inductor_cpu_integer_div_error_flag = nullptr;
inline void inductor_cpu_throw_if_integer_div_error(std::atomic<int>& err);
template <typename scalar_t>
inline scalar_t max_propagate_nan(scalar_t a, scalar_t b);
