#pragma once
#include <ATen/core/jit_type_base.h>
#include <ATen/core/ivalue.h>
namespace c10 {
namespace impl {
template<class T, class Iterator>
bool operator==(const ListElementReference<T, Iterator>& lhs, const T& rhs);
template<class T, class Iterator>
inline bool operator==(const T& lhs, const ListElementReference<T, Iterator>& rhs);
}
template<class T>
bool operator==(const List<T>& lhs, const List<T>& rhs);
template<class T>
bool operator!=(const List<T>& lhs, const List<T>& rhs);
}
