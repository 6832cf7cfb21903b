#pragma once
#include <pybind11/detail/common.h>
#include <pybind11/cast.h>
#include <functional>
namespace pybind11 __attribute__((visibility("hidden"))) {
struct is_setter {
};
template <typename T>
struct base {
[[deprecated("base<T>() was deprecated in favor of specifying 'T' as a template argument to class_")]]
base() = default;
};
}
