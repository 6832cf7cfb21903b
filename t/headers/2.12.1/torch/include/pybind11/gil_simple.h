#pragma once
#include <pybind11/detail/common.h>
#include <cassert>
namespace pybind11 __attribute__((visibility("hidden"))) {
class gil_scoped_release_simple {
PyThreadState *state;
public:
gil_scoped_release_simple();
gil_scoped_release_simple(const gil_scoped_release_simple &) = delete;
gil_scoped_release_simple &operator=(const gil_scoped_release_simple &) = delete;
~gil_scoped_release_simple();
};
}
