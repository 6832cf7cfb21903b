#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <c10/util/Exception.h>
#include <cstdint>
#include <string>
namespace c10 {
enum class QScheme : uint8_t {
PER_TENSOR_AFFINE = 0,
PER_CHANNEL_AFFINE = 1,
PER_TENSOR_SYMMETRIC = 2,
PER_CHANNEL_SYMMETRIC = 3,
PER_CHANNEL_AFFINE_FLOAT_QPARAMS = 4,
COMPILE_TIME_NUM_QSCHEMES = 5,
};
}
