#pragma once
#include <pybind11/detail/common.h>
#include <cassert>
#include <pybind11/detail/internals.h>
namespace pybind11 __attribute__((visibility("hidden"))) {
class gil_scoped_acquire {
public:
__attribute__((noinline)) inline gil_scoped_acquire();
gil_scoped_acquire(const gil_scoped_acquire &) = delete;
gil_scoped_acquire &operator=(const gil_scoped_acquire &) = delete;
__attribute__((noinline)) inline ~gil_scoped_acquire();
private:
PyThreadState *tstate = nullptr;
bool release = true;
bool active = true;
};
class gil_scoped_release {
public:
explicit gil_scoped_release(bool disassoc = false);
gil_scoped_release(const gil_scoped_release &) = delete;
gil_scoped_release &operator=(const gil_scoped_release &) = delete;
~gil_scoped_release();
private:
PyThreadState *tstate;
bool disassoc;
bool active = true;
};
}
