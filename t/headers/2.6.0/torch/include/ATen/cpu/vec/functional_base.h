#pragma once
#include <ATen/cpu/vec/vec.h>
#include <c10/util/irange.h>
namespace at::vec {
template <typename scalar_t, typename Op>
inline scalar_t vec_reduce_all(
const Op& vec_fun,
vec::Vectorized<scalar_t> acc_vec,
int64_t size) {
using Vec = vec::Vectorized<scalar_t>;
scalar_t acc_arr[Vec::size()];
acc_vec.store(acc_arr);
for (const auto i : c10::irange(1, size)) {
std::array<scalar_t, Vec::size()> acc_arr_next = {0};
acc_arr_next[0] = acc_arr[i];
Vec acc_vec_next = Vec::loadu(acc_arr_next.data());
acc_vec = vec_fun(acc_vec, acc_vec_next);
}
acc_vec.store(acc_arr);
return acc_arr[0];
}
template <typename scalar_t, typename Op>
struct VecReduceAllSIMD {
static inline scalar_t apply(const Op& vec_fun, const Vectorized<scalar_t>& acc_vec) {
return vec_reduce_all(vec_fun, acc_vec, Vectorized<scalar_t>::size());
}
};
template <typename scalar_t, typename Op>
inline scalar_t vec_reduce_all(const Op& vec_fun, const Vectorized<scalar_t>& acc_vec) {
return VecReduceAllSIMD<scalar_t, Op>::apply(vec_fun, acc_vec);
}
}
