#pragma once
#include <cstdint>
#include <c10/macros/Macros.h>
namespace c10 {
struct alignas(1) quint8 {
using underlying = uint8_t;
uint8_t val_;
quint8() = default;
explicit quint8(uint8_t val);
};
}
