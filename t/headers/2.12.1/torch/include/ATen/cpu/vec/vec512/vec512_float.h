#pragma once
#include <ATen/cpu/vec/vec_base.h>
#include <c10/util/irange.h>
#include <stddef.h>
#include <stdint.h>
namespace at::vec {
inline namespace CPU_CAPABILITY {
template <>
class Vectorized<float> {
private:
public:
__m512 values;
using size_type = int;
static constexpr size_type size() {
return 16;
}
Vectorized();
Vectorized(__m512 v);
Vectorized(float val);
Vectorized(
float val1,
float val2,
float val3,
float val4,
float val5,
float val6,
float val7,
float val8,
float val9,
float val10,
float val11,
float val12,
float val13,
float val14,
float val15,
float val16);
Vectorized(const float (&arr)[16]);
operator __m512() const;
static Vectorized<float> set(
const Vectorized<float>& a,
const Vectorized<float>& b,
int64_t count = size());
static Vectorized<float> loadu(const void* ptr, int64_t count = size());
void store(void* ptr, int64_t count = size()) const;
const float& operator[](int idx) const = delete;
float& operator[](int idx) = delete;
Vectorized<float> real() const;
Vectorized<float> imag() const;
Vectorized<float> erf() const;
Vectorized<float> exp() const;
Vectorized<float> operator==(const Vectorized<float>& other) const;
Vectorized<float> operator!=(const Vectorized<float>& other) const;
Vectorized<float> operator<(const Vectorized<float>& other) const;
Vectorized<float> operator<=(const Vectorized<float>& other) const;
Vectorized<float> operator>(const Vectorized<float>& other) const;
Vectorized<float> operator>=(const Vectorized<float>& other) const;
};
template <>
Vectorized<float> inline operator+(
const Vectorized<float>& a,
const Vectorized<float>& b);
template <>
Vectorized<float> inline operator-(
const Vectorized<float>& a,
const Vectorized<float>& b);
template <>
Vectorized<float> inline operator*(
const Vectorized<float>& a,
const Vectorized<float>& b);
template <>
Vectorized<float> inline operator/(
const Vectorized<float>& a,
const Vectorized<float>& b);
template <>
Vectorized<float> inline maximum(
const Vectorized<float>& a,
const Vectorized<float>& b);
template <>
Vectorized<float> inline operator&(
const Vectorized<float>& a,
const Vectorized<float>& b);
template <>
Vectorized<float> inline operator|(
const Vectorized<float>& a,
const Vectorized<float>& b);
template <>
Vectorized<float> inline operator^(
const Vectorized<float>& a,
const Vectorized<float>& b);
}
}
