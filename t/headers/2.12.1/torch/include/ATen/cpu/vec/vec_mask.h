#pragma once
#include <ATen/cpu/vec/vec_base.h>
#include <ATen/cpu/vec/vec_n.h>
namespace at::vec {
inline namespace CPU_CAPABILITY {
template <typename T, int N>
class VecMask;
template <typename T, int N>
class VecMask {
public:
using size_type = int;
static constexpr size_type size() {
return VectorizedN<T, N>::size();
}
private:
VectorizedN<T, N> mask_;
public:
VecMask();
VecMask(const VectorizedN<T, N>& mask);
template <int L = N, typename std::enable_if_t<L == 1, int> = 0>
VecMask(const Vectorized<T>& mask);
static VecMask<T, N> set(
const VecMask<T, N>& a,
const VecMask<T, N>& b,
int64_t count = size());
void store(bool* b, int count = size());
template <typename U, int L, std::enable_if_t<L >= 2, int> = 0>
inline VectorizedN<U, L> to() const;
template <typename U, int L, std::enable_if_t<L == 1, int> = 0>
inline Vectorized<U> to() const;
inline operator VectorizedN<T, N>() const;
template <int L = N, typename std::enable_if_t<L == 1, int> = 0>
inline operator Vectorized<T>() const;
inline Vectorized<T> operator[](int i) const;
template <
typename U,
int L,
std::enable_if_t<L >= 2 && VectorizedN<U, L>::size() >= size(), int> = 0>
VectorizedN<U, L> loadu(const U* ptr) const;
template <
typename U,
int L,
std::enable_if_t<L == 1 && Vectorized<U>::size() >= size(), int> = 0>
Vectorized<U> loadu(const U* ptr) const;
};
template <typename T, int N> inline VecMask<T, N> operator~(const VecMask<T, N>& a);
template < typename T, int N, typename V, int M, std::enable_if_t<VecMask<T, N>::size() == VecMask<V, M>::size(), int> = 0> inline VecMask<T, N> operator&(const VecMask<T, N>& a, const VecMask<V, M>& b);
template < typename T, int N, typename V, int M, std::enable_if_t<VecMask<T, N>::size() == VecMask<V, M>::size(), int> = 0> inline VecMask<T, N> operator|(const VecMask<T, N>& a, const VecMask<V, M>& b);
template < typename T, int N, typename V, int M, std::enable_if_t<VecMask<T, N>::size() == VecMask<V, M>::size(), int> = 0> inline VecMask<T, N> operator^(const VecMask<T, N>& a, const VecMask<V, M>& b);
template < typename T, int N, typename V, int M, std::enable_if_t<VecMask<T, N>::size() == VecMask<V, M>::size(), int> = 0> inline VecMask<T, N> operator*(const VecMask<T, N>& a, const VecMask<V, M>& b);
template < typename T, int N, typename V, int M, std::enable_if_t<VecMask<T, N>::size() == VecMask<V, M>::size(), int> = 0> inline VecMask<T, N> operator>(const VecMask<T, N>& a, const VecMask<V, M>& b);
template < typename T, int N, typename V, int M, std::enable_if_t<VecMask<T, N>::size() == VecMask<V, M>::size(), int> = 0> inline VecMask<T, N> operator<(const VecMask<T, N>& a, const VecMask<V, M>& b);
template < typename T, int N, typename V, int M, std::enable_if_t<VecMask<T, N>::size() == VecMask<V, M>::size(), int> = 0> inline VecMask<T, N> operator==(const VecMask<T, N>& a, const VecMask<V, M>& b);
template < typename T, int N, typename V, int M, std::enable_if_t<VecMask<T, N>::size() == VecMask<V, M>::size(), int> = 0> inline VecMask<T, N> operator>=(const VecMask<T, N>& a, const VecMask<V, M>& b);
template < typename T, int N, typename V, int M, std::enable_if_t<VecMask<T, N>::size() == VecMask<V, M>::size(), int> = 0> inline VecMask<T, N> operator<=(const VecMask<T, N>& a, const VecMask<V, M>& b);
template < typename T, int N, typename V, int M, std::enable_if_t<VecMask<T, N>::size() == VecMask<V, M>::size(), int> = 0> inline VecMask<T, N> operator!=(const VecMask<T, N>& a, const VecMask<V, M>& b);
}
}
