#pragma once
#include <ATen/cpu/vec/vec_base.h>
#include <ATen/cpu/vec/vec512/vec512_float.h>
#include <ATen/cpu/vec/vec512/vec512_bfloat16.h>
#include <ATen/cpu/vec/vec512/vec512_float8.h>
#include <ATen/cpu/vec/vec512/vec512_double.h>
#include <ATen/cpu/vec/vec512/vec512_int.h>
#include <ATen/cpu/vec/vec512/vec512_qint.h>
#include <ATen/cpu/vec/vec512/vec512_complex_float.h>
#include <ATen/cpu/vec/vec512/vec512_complex_double.h>
#include <ATen/cpu/vec/vec512/vec512_convert.h>
#include <ATen/cpu/vec/vec512/vec512_mask.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ostream>
namespace at {
namespace vec {
inline namespace CPU_CAPABILITY {
inline std::ostream& operator<<(std::ostream& stream, const c10::qint32& val);
inline std::ostream& operator<<(std::ostream& stream, const c10::qint8& val);
inline std::ostream& operator<<(std::ostream& stream, const c10::quint8& val);
template <typename T>
std::ostream& operator<<(std::ostream& stream, const Vectorized<T>& vec);
inline Vectorized<bool> operator&&(
const Vectorized<bool>& self,
const Vectorized<bool>& other);
}
}
}
