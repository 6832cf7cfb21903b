#pragma once
#include <ATen/cpu/vec/vec_base.h>
#include <array>
namespace at::vec {
inline namespace CPU_CAPABILITY {
template <typename T, int N>
class VectorizedN {
public:
using size_type = int;
static constexpr size_type size() {
return Vectorized<T>::size() * N;
}
private:
std::array<Vectorized<T>, N> values;
public:
VectorizedN() = default;
explicit VectorizedN(T val);
template <int L = N, typename std::enable_if_t<L == 1, int> = 0>
VectorizedN(const Vectorized<T>& val);
template <int L = N, typename std::enable_if_t<L == 2, int> = 0>
VectorizedN(const Vectorized<T>& val_0, const Vectorized<T>& val_1);
template <int L = N, typename std::enable_if_t<L == 1, int> = 0>
inline operator Vectorized<T>() const;
inline const Vectorized<T>& operator[](int i) const;
inline Vectorized<T>& operator[](int i);
static VectorizedN<T, N> set(
const VectorizedN<T, N>& a,
const VectorizedN<T, N>& b,
int64_t count = size());
static VectorizedN<T, N> loadu(const void* ptr);
static VectorizedN<T, N> loadu(const void* ptr, int64_t count);
void store(void* ptr) const;
void store(void* ptr, int count) const;
VectorizedN<T, N> real() const;
VectorizedN<T, N> imag() const;
VectorizedN<T, N> erf() const;
VectorizedN<T, N> exp() const;
VectorizedN<T, N> operator==(const VectorizedN<T, N>& other) const;
VectorizedN<T, N> operator!=(const VectorizedN<T, N>& other) const;
VectorizedN<T, N> operator>=(const VectorizedN<T, N>& other) const;
VectorizedN<T, N> operator<=(const VectorizedN<T, N>& other) const;
VectorizedN<T, N> operator>(const VectorizedN<T, N>& other) const;
VectorizedN<T, N> operator<(const VectorizedN<T, N>& other) const;
};
template <typename T, int N> inline VectorizedN<T, N> operator+( const VectorizedN<T, N>& a, const VectorizedN<T, N>& b);
template <typename T, int N> inline VectorizedN<T, N> operator-( const VectorizedN<T, N>& a, const VectorizedN<T, N>& b);
template <typename T, int N> inline VectorizedN<T, N> operator*( const VectorizedN<T, N>& a, const VectorizedN<T, N>& b);
template <typename T, int N> inline VectorizedN<T, N> operator/( const VectorizedN<T, N>& a, const VectorizedN<T, N>& b);
template <typename T, int N> inline VectorizedN<T, N> operator%( const VectorizedN<T, N>& a, const VectorizedN<T, N>& b);
template <typename T, int N> inline VectorizedN<T, N> operator||( const VectorizedN<T, N>& a, const VectorizedN<T, N>& b);
template <typename T, int N> inline VectorizedN<T, N> operator<<( const VectorizedN<T, N>& a, const VectorizedN<T, N>& b);
template <typename T, int N> inline VectorizedN<T, N> operator>>( const VectorizedN<T, N>& a, const VectorizedN<T, N>& b);
template <typename T, int N> inline VectorizedN<T, N> maximum( const VectorizedN<T, N>& a, const VectorizedN<T, N>& b);
template <typename T, int N> inline VectorizedN<T, N> operator&( const VectorizedN<T, N>& a, const VectorizedN<T, N>& b);
template <typename T, int N> inline VectorizedN<T, N> operator|( const VectorizedN<T, N>& a, const VectorizedN<T, N>& b);
template <typename T, int N> inline VectorizedN<T, N> operator^( const VectorizedN<T, N>& a, const VectorizedN<T, N>& b);
template <typename T, int N> inline VectorizedN<T, N> operator~(const VectorizedN<T, N>& a);
template <typename T, int N> inline VectorizedN<T, N>& operator+=( VectorizedN<T, N>& a, const VectorizedN<T, N>& b);
template <typename T, int N> inline VectorizedN<T, N>& operator-=( VectorizedN<T, N>& a, const VectorizedN<T, N>& b);
template <typename T, int N> inline VectorizedN<T, N>& operator*=( VectorizedN<T, N>& a, const VectorizedN<T, N>& b);
template <typename T, int N> inline VectorizedN<T, N>& operator/=( VectorizedN<T, N>& a, const VectorizedN<T, N>& b);
template <typename T, int N> inline VectorizedN<T, N>& operator%=( VectorizedN<T, N>& a, const VectorizedN<T, N>& b);
template <typename T, int N> inline VectorizedN<T, N>& operator<<=( VectorizedN<T, N>& a, const VectorizedN<T, N>& b);
template <typename T, int N> inline VectorizedN<T, N>& operator>>=( VectorizedN<T, N>& a, const VectorizedN<T, N>& b);
template <typename T, int N, typename OpVec>
inline T vec_reduce_all(const OpVec& vec_fun, VectorizedN<T, N> acc_vec) {
Vectorized<T> vec_result = acc_vec[0];
for (int i = 1; i < N; i++) {
vec_result = vec_fun(vec_result, acc_vec[i]);
}
return vec_reduce_all(vec_fun, vec_result);
}
template <typename T, int N>
std::ostream& operator<<(std::ostream& stream, const VectorizedN<T, N>& vec_n);
}
}
