#pragma once
#include <cstdint>
#include <torch/headeronly/macros/Macros.h>
namespace c10 {
struct alignas(1) Float4_e2m1fn_x2 {
uint8_t val_;
Float4_e2m1fn_x2() = default;
explicit Float4_e2m1fn_x2(uint8_t val);
};
inline bool operator==(
const Float4_e2m1fn_x2& a,
const Float4_e2m1fn_x2& b);
inline bool operator!=(
const Float4_e2m1fn_x2& a,
const Float4_e2m1fn_x2& b);
}
namespace torch {
namespace headeronly __attribute__((visibility("hidden"))) {
using c10::Float4_e2m1fn_x2;
}
}
