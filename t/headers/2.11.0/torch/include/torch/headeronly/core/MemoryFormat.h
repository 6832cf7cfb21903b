#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Exception.h>
#include <cstdint>
#include <ostream>
namespace c10 {
enum class MemoryFormat : int8_t {
Contiguous,
Preserve,
ChannelsLast,
ChannelsLast3d,
NumOptions
};
}
namespace torch {
namespace headeronly __attribute__((visibility("hidden"))) {
using c10::MemoryFormat;
}
}
