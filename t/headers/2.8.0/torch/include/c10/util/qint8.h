#pragma once
#include <cstdint>
#include <c10/macros/Macros.h>
namespace c10 {
struct alignas(1) qint8 {
using underlying = int8_t;
int8_t val_;
qint8() = default;
explicit qint8(int8_t val);
};
}
