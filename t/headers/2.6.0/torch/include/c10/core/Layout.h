#pragma once
#include <c10/core/Backend.h>
#include <c10/util/Exception.h>
#include <cstdint>
#include <ostream>
namespace c10 {
enum class Layout : int8_t {
Strided,
Sparse,
SparseCsr,
Mkldnn,
SparseCsc,
SparseBsr,
SparseBsc,
Jagged,
NumOptions
};
constexpr auto kStrided = Layout::Strided;
inline std::ostream& operator<<(std::ostream& stream, at::Layout layout);
}
