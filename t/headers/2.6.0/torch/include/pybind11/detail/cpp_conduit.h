#pragma once
#include <pybind11/pytypes.h>
#include <pybind11/detail/common.h>
#include <pybind11/detail/internals.h>
#include <typeinfo>
