#pragma once
#include <cstdint>
#include <torch/headeronly/macros/Macros.h>
namespace c10 {
struct alignas(1) qint8 {
using underlying = int8_t;
int8_t val_;
qint8() = default;
explicit qint8(int8_t val);
};
}
namespace torch {
namespace headeronly __attribute__((visibility("hidden"))) {
using c10::qint8;
}
}
