#pragma once
namespace torch::aot_inductor {}
#include <array>
#include <filesystem>
#include <optional>
#include <utility>
#include <Python.h>
#include <pybind11/gil.h>
#include <c10/util/BFloat16.h>
#include <cmath>
#include <complex>
#include <c10/core/Device.h>
#include <torch/csrc/DynamicTypes.h>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/csrc/utils/tensor_memoryformats.h>
namespace py = pybind11;
#include <torch/csrc/inductor/aoti_runtime/device_utils.h>
#include <torch/csrc/inductor/aoti_runtime/utils.h>
using namespace torch::aot_inductor;
#include <c10/util/generic_math.h>
#include <torch/csrc/inductor/aoti_runtime/scalar_to_tensor.h>
