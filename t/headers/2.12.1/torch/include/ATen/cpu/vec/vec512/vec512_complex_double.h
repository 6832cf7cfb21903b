#pragma once
#include <ATen/cpu/vec/vec_base.h>
#include <c10/util/complex.h>
#include <c10/util/irange.h>
#include <stddef.h>
#include <stdint.h>
namespace at::vec {
inline namespace CPU_CAPABILITY {
template <>
class Vectorized<c10::complex<double>> {
private:
__m512d values;
public:
using size_type = int;
static constexpr size_type size() {
return 4;
}
Vectorized();
Vectorized(__m512d v);
Vectorized(c10::complex<double> val);
Vectorized(
c10::complex<double> val1,
c10::complex<double> val2,
c10::complex<double> val3,
c10::complex<double> val4);
operator __m512d() const;
static Vectorized<c10::complex<double>> set(
const Vectorized<c10::complex<double>>& a,
const Vectorized<c10::complex<double>>& b,
int64_t count = size());
static Vectorized<c10::complex<double>> loadu(
const void* ptr,
int64_t count = size());
void store(void* ptr, int count = size()) const;
const c10::complex<double>& operator[](int idx) const = delete;
c10::complex<double>& operator[](int idx) = delete;
__m512d real_() const;
Vectorized<c10::complex<double>> real() const;
__m512d imag_() const;
Vectorized<c10::complex<double>> imag() const;
Vectorized<c10::complex<double>> exp() const;
Vectorized<c10::complex<double>> operator==(
const Vectorized<c10::complex<double>>& other) const;
Vectorized<c10::complex<double>> operator!=(
const Vectorized<c10::complex<double>>& other) const;
Vectorized<c10::complex<double>> operator<(
const Vectorized<c10::complex<double>>& other [[maybe_unused]]) const;
Vectorized<c10::complex<double>> operator<=(
const Vectorized<c10::complex<double>>& other [[maybe_unused]]) const;
Vectorized<c10::complex<double>> operator>(
const Vectorized<c10::complex<double>>& other [[maybe_unused]]) const;
Vectorized<c10::complex<double>> operator>=(
const Vectorized<c10::complex<double>>& other [[maybe_unused]]) const;
};
template <>
Vectorized<c10::complex<double>> inline operator+(
const Vectorized<c10::complex<double>>& a,
const Vectorized<c10::complex<double>>& b);
template <>
Vectorized<c10::complex<double>> inline operator-(
const Vectorized<c10::complex<double>>& a,
const Vectorized<c10::complex<double>>& b);
template <>
Vectorized<c10::complex<double>> inline operator*(
const Vectorized<c10::complex<double>>& a,
const Vectorized<c10::complex<double>>& b);
template <>
Vectorized<c10::complex<double>> inline operator/(
const Vectorized<c10::complex<double>>& a,
const Vectorized<c10::complex<double>>& b);
template <>
Vectorized<c10::complex<double>> inline maximum(
const Vectorized<c10::complex<double>>& a,
const Vectorized<c10::complex<double>>& b);
template <>
Vectorized<c10::complex<double>> inline operator&(
const Vectorized<c10::complex<double>>& a,
const Vectorized<c10::complex<double>>& b);
template <>
Vectorized<c10::complex<double>> inline operator|(
const Vectorized<c10::complex<double>>& a,
const Vectorized<c10::complex<double>>& b);
template <>
Vectorized<c10::complex<double>> inline operator^(
const Vectorized<c10::complex<double>>& a,
const Vectorized<c10::complex<double>>& b);
}
}
