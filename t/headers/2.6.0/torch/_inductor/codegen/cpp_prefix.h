#pragma once
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <map>
#include <omp.h>
#include <ATen/NumericUtils.h>
#include <ATen/core/PhiloxRNGEngine.h>
#include <c10/util/Float8_e4m3fn.h>
#include <c10/util/Float8_e5m2.h>
#include <c10/util/BFloat16.h>
#include <c10/util/BFloat16-math.h>
#include <c10/util/generic_math.h>
#include <c10/util/Half.h>
#include <c10/util/TypeCast.h>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <ATen/cpu/vec/functional_base.h>
#include <ATen/cpu/vec/functional_bfloat16.h>
#include <ATen/cpu/vec/vec.h>
typedef at::Half half;
typedef at::BFloat16 bfloat16;
template <typename T>
T max_masked_reduce(const T& a, const T& b, const int64_t tail_size);
template <typename T>
T sum_masked_reduce(const T& a, const T& b, const int64_t tail_size);
template <typename T, typename U> inline typename std::common_type_t<T, U> mod(T a, U b);
template <> inline float mod(float a, float b);
template <> inline double mod(double a, double b);
template <typename scalar_t>
inline scalar_t max_propagate_nan(scalar_t a, scalar_t b);
