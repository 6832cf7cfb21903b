#pragma once
#include <c10/core/QScheme.h>
namespace c10 {
template<typename T>
class List;
template<typename T>
class IListRef;
class Stream;
class Scalar;
class SymInt;
struct Storage;
struct TensorOptions;
template <typename T>
class ArrayRef;
template <typename T>
class OptionalArrayRef;
}
namespace at {
class Tensor;
class OptionalTensorRef;
struct Dimname;
struct Generator;
using DimnameList = c10::ArrayRef<Dimname>;
using OptionalIntArrayRef = c10::OptionalArrayRef<int64_t>;
using c10::Stream;
using c10::Storage;
using c10::QScheme;
using c10::Scalar;
using c10::SymInt;
using c10::TensorOptions;
}
