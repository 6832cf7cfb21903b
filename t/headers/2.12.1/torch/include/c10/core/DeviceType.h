#pragma once
#include <torch/headeronly/core/DeviceType.h>
#include <ostream>
#include <string>
namespace torch {
using c10::DeviceType;
}
