#pragma once
#include <cstdint>
#include <torch/headeronly/macros/Macros.h>
namespace c10 {
struct alignas(1) bits1x8 {
using underlying = uint8_t;
uint8_t val_;
bits1x8() = default;
explicit bits1x8(uint8_t val);
};
struct alignas(1) bits2x4 {
using underlying = uint8_t;
uint8_t val_;
bits2x4() = default;
explicit bits2x4(uint8_t val);
};
struct alignas(1) bits4x2 {
using underlying = uint8_t;
uint8_t val_;
bits4x2() = default;
explicit bits4x2(uint8_t val);
};
struct alignas(1) bits8 {
uint8_t val_;
bits8() = default;
explicit bits8(uint8_t val);
};
struct alignas(2) bits16 {
uint16_t val_;
bits16() = default;
explicit bits16(uint16_t val);
};
}
namespace torch {
namespace headeronly __attribute__((visibility("hidden"))) {
using c10::bits16;
using c10::bits1x8;
using c10::bits2x4;
using c10::bits4x2;
using c10::bits8;
}
}
