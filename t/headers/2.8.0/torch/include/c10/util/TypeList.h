#pragma once
#include <c10/util/TypeTraits.h>
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
template <template <class> class Mapper, class TypeList>
struct map final {
};
template <template <class> class Mapper, class... Types>
struct map<Mapper, typelist<Types...>> final {
using type = typelist<Mapper<Types>...>;
};
template <size_t Index, class TypeList>
struct element final {
};
template <class Head, class... Tail>
struct element<0, typelist<Head, Tail...>> {
using type = Head;
};
template <size_t Index, class... Ts>
struct element<Index, typelist<Ts...>> {
};
template <size_t Index, class Head, class... Tail>
struct element<Index, typelist<Head, Tail...>>
: element<Index - 1, typelist<Tail...>> {
};
template <class TypeList>
struct last final {
};
template <class Head, class... Tail>
struct last<typelist<Head, Tail...>> final {
using type = typename last<typelist<Tail...>>::type;
};
template <class Head>
struct last<typelist<Head>> final {
using type = Head;
};
namespace detail {
template <class TypeList, size_t offset, class IndexSequence>
struct take_elements final {
};
template <class TypeList, size_t offset, size_t... Indices>
struct take_elements<TypeList, offset, std::index_sequence<Indices...>> final {
using type = typelist<typename element<offset + Indices, TypeList>::type...>;
};
}
template <class TypeList, size_t num>
struct drop final {
using type = typename detail::take_elements<
TypeList,
num,
std::make_index_sequence<size<TypeList>::value - num>>::type;
};
namespace detail {
template <class T>
struct type_ final {
using type = T;
};
}
}
}
