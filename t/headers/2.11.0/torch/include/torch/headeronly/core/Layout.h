#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Exception.h>
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
}
namespace torch {
namespace headeronly __attribute__((visibility("hidden"))) {
using c10::Layout;
}
}
