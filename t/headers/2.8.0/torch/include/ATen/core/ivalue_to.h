#pragma once
#include <string>
namespace at {
class Tensor;
}
namespace c10 {
struct IValue;
namespace detail {
template<typename T>
struct ivalue_to_const_ref_overload_return {
using type = T;
};
template<>
struct ivalue_to_const_ref_overload_return<at::Tensor> {
using type = const at::Tensor&;
};
template<>
struct ivalue_to_const_ref_overload_return<std::string> {
using type = const std::string&;
};
template<>
struct ivalue_to_const_ref_overload_return<IValue> {
using type = const IValue&;
};
}
}
