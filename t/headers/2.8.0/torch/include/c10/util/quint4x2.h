#pragma once
#include <cstdint>
#include <c10/macros/Macros.h>
namespace c10 {
struct alignas(1) quint4x2 {
uint8_t val_;
quint4x2() = default;
explicit quint4x2(uint8_t val);
};
}
