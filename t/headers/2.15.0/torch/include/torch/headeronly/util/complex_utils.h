#pragma once
#include <limits>
namespace torch {
namespace headeronly __attribute__((visibility("hidden"))) {
template <typename T>
struct is_complex : public std::false_type {
};
template <typename T>
struct is_complex<std::complex<T>> : public std::true_type {
};
template <typename T>
struct is_complex<c10::complex<T>> : public std::true_type {
};
}
}
namespace std {
template <typename T>
class numeric_limits<c10::complex<T>> : public numeric_limits<T> {
};
}
