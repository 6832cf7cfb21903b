#pragma once
#include <pybind11/detail/common.h>
#include <cstddef>
#include <typeinfo>
namespace pybind11 __attribute__((visibility("hidden"))) {
namespace detail {
struct value_and_holder {
instance *inst = nullptr;
size_t index = 0u;
const detail::type_info *type = nullptr;
void **vh = nullptr;
value_and_holder(instance *i, const detail::type_info *type, size_t vpos, size_t index);
value_and_holder() = default;
explicit value_and_holder(size_t index);
explicit operator bool() const;
template <typename H>
H &holder() const;
};
}
}
