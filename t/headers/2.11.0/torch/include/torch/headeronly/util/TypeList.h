#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/TypeTraits.h>
#include <algorithm>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
namespace c10::guts {
namespace typelist {
template <class... Items>
struct typelist final {
public:
typelist() = delete;
};
template <class TypeList>
struct size final {
};
template <class... Types>
struct size<typelist<Types...>> final {
static constexpr size_t value = sizeof...(Types);
};
namespace detail {
template <class T>
struct type_ final {
using type = T;
};
}
}
}
namespace torch {
namespace headeronly __attribute__((visibility("hidden"))) {
namespace guts {
namespace typelist {
using c10::guts::typelist::size;
using c10::guts::typelist::typelist;
}
}
}
}
