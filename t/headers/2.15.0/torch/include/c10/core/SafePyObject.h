#pragma once
#include <c10/core/impl/PyInterpreter.h>
#include <c10/util/python_stub.h>
#include <utility>
namespace c10 {
struct __attribute__((__visibility__("default"))) SafePyObject {
SafePyObject(PyObject* data, c10::impl::PyInterpreter* pyinterpreter);
SafePyObject(SafePyObject&& other) noexcept;
SafePyObject& operator=(SafePyObject&&) = delete;
SafePyObject(SafePyObject const& other);
SafePyObject& operator=(SafePyObject const& other);
~SafePyObject();
c10::impl::PyInterpreter& pyinterpreter() const;
PyObject* ptr(const c10::impl::PyInterpreter* ) const;
PyObject* release();
private:
PyObject* data_;
c10::impl::PyInterpreter* pyinterpreter_;
};
}
