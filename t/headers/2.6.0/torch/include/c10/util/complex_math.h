#pragma once
namespace c10_complex_math {
template <typename T>
inline c10::complex<T> exp(const c10::complex<T>& x);
template <typename T>
inline c10::complex<T> log(const c10::complex<T>& x);
template <typename T>
inline c10::complex<T> log2(const c10::complex<T>& x);
template <typename T>
inline c10::complex<T> sin(const c10::complex<T>& x);
}
using c10_complex_math::exp;
using c10_complex_math::log;
using c10_complex_math::log2;
using c10_complex_math::sin;
namespace std {
using c10_complex_math::exp;
using c10_complex_math::log;
using c10_complex_math::log2;
using c10_complex_math::sin;
}
