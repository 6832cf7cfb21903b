#pragma once
#include <c10/core/impl/PyInterpreter.h>
#include <torch/headeronly/macros/Macros.h>
#include <c10/util/DeadlockDetection.h>
#include <c10/util/Exception.h>
#include <c10/util/python_stub.h>
#include <atomic>
namespace c10 {
class PyHandleCache {
public:
PyHandleCache() = default;
private:
mutable std::atomic<PyObject*> data_{nullptr};
};
}
