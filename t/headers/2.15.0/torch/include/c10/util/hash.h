#pragma once
#include <c10/util/Exception.h>
#include <cstddef>
#include <functional>
#include <iomanip>
#include <ios>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#include <c10/util/ArrayRef.h>
#include <c10/util/complex.h>
namespace c10 {
template <typename T>
struct hash {
size_t operator()(const T& o) const;
};
template <typename... Types>
struct hash<std::tuple<Types...>> {
size_t operator()(const std::tuple<Types...>& t) const;
};
template <typename T1, typename T2>
struct hash<std::pair<T1, T2>> {
size_t operator()(const std::pair<T1, T2>& pair) const;
};
template <typename T>
struct hash<c10::ArrayRef<T>> {
size_t operator()(c10::ArrayRef<T> v) const;
};
template <typename T>
struct hash<std::vector<T>> {
size_t operator()(const std::vector<T>& v) const;
};
template <typename T>
struct hash<c10::complex<T>> {
size_t operator()(const c10::complex<T>& c) const;
};
}
