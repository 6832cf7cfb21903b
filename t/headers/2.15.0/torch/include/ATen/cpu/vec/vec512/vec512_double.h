#pragma once
#include <ATen/cpu/vec/vec_base.h>
#include <torch/headeronly/util/irange.h>
#include <limits>
#include <stddef.h>
#include <stdint.h>
namespace at::vec {
inline namespace CPU_CAPABILITY {
template <>
class Vectorized<double> {
private:
public:
__m512d values;
using value_type = double;
using size_type = int;
static constexpr size_type size() {
return 8;
}
Vectorized();
Vectorized(__m512d v);
Vectorized(double val);
Vectorized(
double val1,
double val2,
double val3,
double val4,
double val5,
double val6,
double val7,
double val8);
operator __m512d() const;
static Vectorized<double> set(
const Vectorized<double>& a,
const Vectorized<double>& b,
int64_t count = size());
static Vectorized<double> loadu(const void* ptr, int64_t count = size());
void store(void* ptr, int count = size()) const;
const double& operator[](int idx) const = delete;
double& operator[](int idx) = delete;
Vectorized<double> map(double (*const f)(double)) const;
Vectorized<double> real() const;
Vectorized<double> imag() const;
Vectorized<double> erf() const;
Vectorized<double> exp() const;
Vectorized<double> operator==(const Vectorized<double>& other) const;
Vectorized<double> operator!=(const Vectorized<double>& other) const;
Vectorized<double> operator<(const Vectorized<double>& other) const;
Vectorized<double> operator<=(const Vectorized<double>& other) const;
Vectorized<double> operator>(const Vectorized<double>& other) const;
Vectorized<double> operator>=(const Vectorized<double>& other) const;
};
template <>
Vectorized<double> inline operator+(
const Vectorized<double>& a,
const Vectorized<double>& b);
template <>
Vectorized<double> inline operator-(
const Vectorized<double>& a,
const Vectorized<double>& b);
template <>
Vectorized<double> inline operator*(
const Vectorized<double>& a,
const Vectorized<double>& b);
template <>
Vectorized<double> inline operator/(
const Vectorized<double>& a,
const Vectorized<double>& b);
template <>
Vectorized<double> inline maximum(
const Vectorized<double>& a,
const Vectorized<double>& b);
template <>
Vectorized<double> inline operator&(
const Vectorized<double>& a,
const Vectorized<double>& b);
template <>
Vectorized<double> inline operator|(
const Vectorized<double>& a,
const Vectorized<double>& b);
template <>
Vectorized<double> inline operator^(
const Vectorized<double>& a,
const Vectorized<double>& b);
}
}
