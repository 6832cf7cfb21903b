#pragma once
#include <c10/core/impl/PyInterpreter.h>
#include <c10/core/impl/PyInterpreterHooks.h>
#include <c10/util/python_stub.h>
#include <optional>
#include <atomic>
namespace torch::utils {
class PyObjectPreservation;
}
namespace c10::impl {
struct __attribute__((__visibility__("default"))) PyObjectSlot {
public:
PyObjectSlot();
void clear();
private:
std::atomic<PyObject*> pyobj_;
friend class torch::utils::PyObjectPreservation;
};
}
