#pragma once
#include <cstdint>
#include <torch/headeronly/macros/Macros.h>
namespace c10 {
struct alignas(1) quint2x4 {
using underlying = uint8_t;
uint8_t val_;
quint2x4() = default;
explicit quint2x4(uint8_t val);
};
}
namespace torch {
namespace headeronly __attribute__((visibility("hidden"))) {
using c10::quint2x4;
}
}
