#pragma once
#include <torch/csrc/inductor/aoti_runtime/arrayref_tensor.h>
#include <torch/csrc/inductor/aoti_runtime/interface.h>
#include <cassert>
#include <cstring>
#include <stdexcept>
#include <type_traits>
namespace torch::aot_inductor {
template <typename T>
inline void arrayref_tensor_to_c(
const ArrayRefTensor<T>& src,
AOTInductorArrayRefTensor& dst);
template <typename T>
inline AOTInductorArrayRefTensor arrayref_tensor_to_c(
const ArrayRefTensor<T>& src);
template <typename T>
inline ArrayRefTensor<T> c_to_arrayref_tensor(
const AOTInductorArrayRefTensor& src);
}
