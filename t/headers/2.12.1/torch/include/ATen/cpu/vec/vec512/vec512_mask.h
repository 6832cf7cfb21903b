#pragma once
#include <ATen/cpu/vec/vec_base.h>
#include <ATen/cpu/vec/vec_mask.h>
namespace at::vec {
inline namespace CPU_CAPABILITY {
template <typename T, int dst_n, typename mask_t, int mask_n>
struct VecMaskLoad<
T,
dst_n,
mask_t,
mask_n,
typename std::enable_if_t<
(mask_n == dst_n * 2 && dst_n >= 1) &&
(std::is_same_v<T, float> || std::is_same_v<T, int32_t>),
void>> {
static inline VectorizedN<T, dst_n> apply(
const T* ptr,
const VecMask<mask_t, mask_n>& vec_mask);
};
template <typename T, int dst_n, typename mask_t>
struct VecMaskLoad<
T,
dst_n,
mask_t,
dst_n,
typename std::enable_if_t<
std::is_same_v<T, float> || std::is_same_v<T, int32_t>,
void>> {
static inline VectorizedN<T, dst_n> apply(
const T* ptr,
const VecMask<mask_t, dst_n>& vec_mask);
};
template <typename data_t, int dst_n, typename mask_t>
struct VecMaskLoad<
data_t,
dst_n,
mask_t,
dst_n,
std::enable_if_t<
std::is_same_v<data_t, BFloat16> || std::is_same_v<data_t, Half>>> {
static inline VectorizedN<data_t, dst_n> apply(
const data_t* ptr,
const VecMask<mask_t, dst_n>& vec_mask);
};
template <typename data_t, int dst_n, typename mask_t, int mask_n>
struct VecMaskLoad<
data_t,
dst_n,
mask_t,
mask_n,
typename std::enable_if_t<
(mask_n == 2 * dst_n && dst_n >= 1) &&
(std::is_same_v<data_t, BFloat16> || std::is_same_v<data_t, Half>)>> {
static inline VectorizedN<data_t, dst_n> apply(
const data_t* ptr,
const VecMask<mask_t, mask_n>& vec_mask);
};
template <typename data_t, typename mask_t>
struct VecMaskLoad<
data_t,
1,
mask_t,
1,
std::enable_if_t<
std::is_same_v<data_t, int8_t> || std::is_same_v<data_t, uint8_t>>> {
static inline VectorizedN<data_t, 1> apply(
const data_t* ptr,
const VecMask<mask_t, 1>& vec_mask);
};
template <typename data_t, typename mask_t>
struct VecMaskLoad<
data_t,
2,
mask_t,
1,
std::enable_if_t<
std::is_same_v<data_t, int64_t> || std::is_same_v<data_t, double>>> {
static inline VectorizedN<data_t, 2> apply(
const data_t* ptr,
const VecMask<mask_t, 1>& vec_mask);
};
}
}
