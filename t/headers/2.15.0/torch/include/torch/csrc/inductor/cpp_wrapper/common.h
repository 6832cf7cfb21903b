#pragma once
namespace torch::aot_inductor {}
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>
#include <Python.h>
#include <pybind11/gil_simple.h>
#include <torch/csrc/stable/library.h>
namespace py = pybind11;
#include <torch/csrc/inductor/aoti_runtime/device_utils.h>
#include <torch/csrc/inductor/aoti_runtime/utils.h>
using namespace torch::aot_inductor;
#include <c10/util/generic_math.h>
#include <torch/csrc/inductor/aoti_runtime/scalar_to_tensor.h>
namespace at {
class TensorBase;
}
