#pragma once
#include <torch/headeronly/core/DeviceType.h>
#include <ostream>
#include <string>
namespace c10 {
__attribute__((__visibility__("default"))) std::ostream& operator<<(std::ostream& stream, DeviceType type);
}
namespace torch {
using c10::DeviceType;
}
