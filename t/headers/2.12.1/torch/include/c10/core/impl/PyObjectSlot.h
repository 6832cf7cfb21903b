#pragma once
#include <atomic>
#include <c10/core/impl/PyInterpreter.h>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>
#include <torch/headeronly/macros/Macros.h>
#include <cstddef>
#include <typeinfo>
#include <c10/util/python_stub.h>
#include <optional>
namespace torch::utils {
class PyObjectPreservation;
}
namespace c10::impl {
struct __attribute__((__visibility__("default"))) PyObjectSlot {
public:
PyObjectSlot();
void clear();
private:
std::atomic<PyInterpreter*> pyobj_interpreter_;
std::atomic<PyObject*> pyobj_;
friend class torch::utils::PyObjectPreservation;
};
}
