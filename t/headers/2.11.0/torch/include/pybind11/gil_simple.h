#pragma once
#include <pybind11/detail/common.h>
#include <cassert>
namespace pybind11 __attribute__((visibility("hidden"))) {
class gil_scoped_acquire_simple {
PyGILState_STATE state;
public:
gil_scoped_acquire_simple();
gil_scoped_acquire_simple(const gil_scoped_acquire_simple &) = delete;
gil_scoped_acquire_simple &operator=(const gil_scoped_acquire_simple &) = delete;
~gil_scoped_acquire_simple();
};
class gil_scoped_release_simple {
PyThreadState *state;
public:
gil_scoped_release_simple();
gil_scoped_release_simple(const gil_scoped_release_simple &) = delete;
gil_scoped_release_simple &operator=(const gil_scoped_release_simple &) = delete;
~gil_scoped_release_simple();
};
}
