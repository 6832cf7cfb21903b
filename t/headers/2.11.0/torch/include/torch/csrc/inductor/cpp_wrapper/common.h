#pragma once
namespace torch::aot_inductor {}
#include <array>
#include <filesystem>
#include <optional>
#include <utility>
#include <Python.h>
#include <pybind11/gil_simple.h>
#include <torch/headeronly/util/BFloat16.h>
#include <cmath>
#include <complex>
#include <c10/core/Device.h>
#include <torch/csrc/DynamicTypes.h>
#include <torch/csrc/stable/library.h>
#include <stddef.h>
#include <torch/csrc/utils/tensor_memoryformats.h>
namespace py = pybind11;
class RAIIPyObject {
public:
RAIIPyObject() = default;
RAIIPyObject(PyObject* obj);
RAIIPyObject(const RAIIPyObject& other);
RAIIPyObject(RAIIPyObject&& other) noexcept;
~RAIIPyObject();
RAIIPyObject& operator=(const RAIIPyObject& other);
RAIIPyObject& operator=(RAIIPyObject&& other) noexcept;
operator bool() const noexcept;
operator PyObject*();
PyObject* get();
private:
PyObject* obj_{nullptr};
};
#include <torch/csrc/inductor/aoti_runtime/device_utils.h>
#include <torch/csrc/inductor/aoti_runtime/utils.h>
using namespace torch::aot_inductor;
#include <c10/util/generic_math.h>
#include <torch/csrc/inductor/aoti_runtime/scalar_to_tensor.h>
