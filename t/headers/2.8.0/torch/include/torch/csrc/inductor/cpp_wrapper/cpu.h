#pragma once
#include <torch/csrc/inductor/cpp_wrapper/common.h>
#include <torch/csrc/inductor/aoti_torch/generated/c_shim_cpu.h>
