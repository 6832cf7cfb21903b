#pragma once
#include <cstdint>
#include <torch/headeronly/macros/Macros.h>
namespace c10 {
struct alignas(4) qint32 {
using underlying = int32_t;
int32_t val_;
qint32() = default;
explicit qint32(int32_t val);
};
}
namespace torch {
namespace headeronly __attribute__((visibility("hidden"))) {
using c10::qint32;
}
}
