#pragma once
#include <pybind11/detail/common.h>
#include <cassert>
namespace pybind11 __attribute__((visibility("hidden"))) {
class gil_scoped_release {
PyThreadState *state;
public:
gil_scoped_release();
gil_scoped_release(const gil_scoped_release &) = delete;
gil_scoped_release &operator=(const gil_scoped_release &) = delete;
~gil_scoped_release();
};
}
