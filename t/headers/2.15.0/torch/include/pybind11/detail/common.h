#pragma once
#include <Python.h>
#include <cstddef>
#include <cstring>
#include <exception>
#include <forward_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <typeindex>
#include <unordered_map>
#include <unordered_set>
#include <vector>
#include <version>
namespace pybind11 __attribute__((visibility("hidden"))) {
using size_t = std::size_t;
namespace detail {
using std::conditional_t;
using std::enable_if_t;
using std::remove_reference_t;
using std::index_sequence;
using std::make_index_sequence;
template <bool B>
using bool_constant = std::integral_constant<bool, B>;
template <typename T>
struct negation : bool_constant<!T::value> {
};
template <typename...>
struct void_t_impl {
using type = void;
};
template <typename... Ts>
using void_t = typename void_t_impl<Ts...>::type;
}
namespace detail {
template <typename... Args>
struct overload_cast_impl {
template <typename Return>
constexpr auto operator()(Return (*pf)(Args...)) const noexcept -> decltype(pf) {
return pf;
}
template <typename Return, typename Class>
constexpr auto operator()(Return (Class::*pmf)(Args...), std::false_type = {}) const noexcept
-> decltype(pmf) {
return pmf;
}
template <typename Return, typename Class>
constexpr auto operator()(Return (Class::*pmf)(Args...) const, std::true_type) const noexcept
-> decltype(pmf) {
return pmf;
}
template <typename Return, typename Class> constexpr auto operator()(Return (Class::*pmf)(Args...) &, std::false_type = {}) const noexcept -> decltype(pmf) { return pmf; }
template <typename Return, typename Class> constexpr auto operator()(Return (Class::*pmf)(Args...) const &, std::true_type) const noexcept -> decltype(pmf) { return pmf; }
template <typename Return, typename Class> constexpr auto operator()(Return (Class::*pmf)(Args...) &&, std::false_type = {}) const noexcept -> decltype(pmf) { return pmf; }
template <typename Return, typename Class> constexpr auto operator()(Return (Class::*pmf)(Args...) const &&, std::true_type) const noexcept -> decltype(pmf) { return pmf; }
template <typename Return>
constexpr auto operator()(Return (*pf)(Args...) noexcept) const noexcept -> decltype(pf) {
return pf;
}
template <typename Return, typename Class> constexpr auto operator()(Return (Class::*pmf)(Args...) noexcept, std::false_type = {}) const noexcept -> decltype(pmf) { return pmf; }
template <typename Return, typename Class> constexpr auto operator()(Return (Class::*pmf)(Args...) const noexcept, std::true_type) const noexcept -> decltype(pmf) { return pmf; }
template <typename Return, typename Class> constexpr auto operator()(Return (Class::*pmf)(Args...) & noexcept, std::false_type = {}) const noexcept -> decltype(pmf) { return pmf; }
template <typename Return, typename Class> constexpr auto operator()(Return (Class::*pmf)(Args...) const & noexcept, std::true_type) const noexcept -> decltype(pmf) { return pmf; }
template <typename Return, typename Class> constexpr auto operator()(Return (Class::*pmf)(Args...) && noexcept, std::false_type = {}) const noexcept -> decltype(pmf) { return pmf; }
template <typename Return, typename Class> constexpr auto operator()(Return (Class::*pmf)(Args...) const && noexcept, std::true_type) const noexcept -> decltype(pmf) { return pmf; }
};
}
}
