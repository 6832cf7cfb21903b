#pragma once
#include <pybind11/attr.h>
#include <pybind11/options.h>
#include <pybind11/detail/exception_translation.h>
