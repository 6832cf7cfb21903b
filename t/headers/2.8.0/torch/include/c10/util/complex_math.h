#pragma once
namespace c10_complex_math {
template <typename T>
inline c10::complex<T> exp(const c10::complex<T>& x);
}
using c10_complex_math::exp;
namespace std {
using c10_complex_math::exp;
}
