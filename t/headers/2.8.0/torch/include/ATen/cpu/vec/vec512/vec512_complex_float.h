#pragma once
#include <ATen/cpu/vec/vec_base.h>
#include <c10/util/complex.h>
#include <c10/util/irange.h>
#include <stddef.h>
#include <stdint.h>
namespace at::vec {
inline namespace CPU_CAPABILITY {
template <>
class Vectorized<c10::complex<float>> {
private:
__m512 values;
public:
using value_type = c10::complex<float>;
using size_type = int;
static constexpr size_type size() {
return 8;
}
Vectorized();
Vectorized(__m512 v);
Vectorized(c10::complex<float> val);
Vectorized(
c10::complex<float> val1,
c10::complex<float> val2,
c10::complex<float> val3,
c10::complex<float> val4,
c10::complex<float> val5,
c10::complex<float> val6,
c10::complex<float> val7,
c10::complex<float> val8);
operator __m512() const;
static Vectorized<c10::complex<float>> set(
const Vectorized<c10::complex<float>>& a,
const Vectorized<c10::complex<float>>& b,
int64_t count = size());
static Vectorized<c10::complex<float>> loadu(
const void* ptr,
int64_t count = size());
void store(void* ptr, int count = size()) const;
const c10::complex<float>& operator[](int idx) const = delete;
c10::complex<float>& operator[](int idx) = delete;
__m512 real_() const;
Vectorized<c10::complex<float>> real() const;
__m512 imag_() const;
Vectorized<c10::complex<float>> imag() const;
Vectorized<c10::complex<float>> exp() const;
Vectorized<c10::complex<float>> operator==(
const Vectorized<c10::complex<float>>& other) const;
Vectorized<c10::complex<float>> operator!=(
const Vectorized<c10::complex<float>>& other) const;
Vectorized<c10::complex<float>> operator<(
const Vectorized<c10::complex<float>>& other [[maybe_unused]]) const;
Vectorized<c10::complex<float>> operator<=(
const Vectorized<c10::complex<float>>& other [[maybe_unused]]) const;
Vectorized<c10::complex<float>> operator>(
const Vectorized<c10::complex<float>>& other [[maybe_unused]]) const;
Vectorized<c10::complex<float>> operator>=(
const Vectorized<c10::complex<float>>& other [[maybe_unused]]) const;
};
template <>
Vectorized<c10::complex<float>> inline operator+(
const Vectorized<c10::complex<float>>& a,
const Vectorized<c10::complex<float>>& b);
template <>
Vectorized<c10::complex<float>> inline operator-(
const Vectorized<c10::complex<float>>& a,
const Vectorized<c10::complex<float>>& b);
template <>
Vectorized<c10::complex<float>> inline operator*(
const Vectorized<c10::complex<float>>& a,
const Vectorized<c10::complex<float>>& b);
template <>
Vectorized<c10::complex<float>> inline operator/(
const Vectorized<c10::complex<float>>& a,
const Vectorized<c10::complex<float>>& b);
template <>
Vectorized<c10::complex<float>> inline maximum(
const Vectorized<c10::complex<float>>& a,
const Vectorized<c10::complex<float>>& b);
template <>
Vectorized<c10::complex<float>> inline operator&(
const Vectorized<c10::complex<float>>& a,
const Vectorized<c10::complex<float>>& b);
template <>
Vectorized<c10::complex<float>> inline operator|(
const Vectorized<c10::complex<float>>& a,
const Vectorized<c10::complex<float>>& b);
template <>
Vectorized<c10::complex<float>> inline operator^(
const Vectorized<c10::complex<float>>& a,
const Vectorized<c10::complex<float>>& b);
}
}
