#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
namespace c10 {
enum class DeviceType : int8_t {
CPU = 0,
CUDA = 1,
MKLDNN = 2,
OPENGL = 3,
OPENCL = 4,
IDEEP = 5,
HIP = 6,
FPGA = 7,
MAIA = 8,
XLA = 9,
Vulkan = 10,
Metal = 11,
XPU = 12,
MPS = 13,
Meta = 14,
HPU = 15,
VE = 16,
Lazy = 17,
IPU = 18,
MTIA = 19,
PrivateUse1 = 20,
COMPILE_TIME_MAX_DEVICE_TYPES = 21,
};
constexpr DeviceType kCPU = DeviceType::CPU;
__attribute__((__visibility__("default"))) std::ostream& operator<<(std::ostream& stream, DeviceType type);
}
namespace torch {
using c10::DeviceType;
}
