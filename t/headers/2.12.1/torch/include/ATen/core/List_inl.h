#pragma once
#include <ATen/core/jit_type_base.h>
#include <ATen/core/ivalue.h>
namespace c10 {
template<class T>
bool operator==(const List<T>& lhs, const List<T>& rhs);
}
