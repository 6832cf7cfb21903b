#pragma once
#include <c10/core/impl/HermeticPyObjectTLS.h>
#include <c10/core/impl/PyInterpreter.h>
#include <c10/util/python_stub.h>
#include <optional>
#include <atomic>
namespace c10::impl {
struct __attribute__((__visibility__("default"))) PyObjectSlot {
public:
PyObjectSlot();
~PyObjectSlot();
private:
std::atomic<PyInterpreter*> pyobj_interpreter_;
PyObject* pyobj_;
};
}
