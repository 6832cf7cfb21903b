#pragma once
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/shim_utils.h>
#include <memory>
namespace torch::stable {
namespace accelerator __attribute__((visibility("hidden"))) {
using DeviceIndex = int32_t;
}
}
