#pragma once
#include <pybind11/detail/common.h>
#include <pybind11/gil.h>
#include <cassert>
#include <mutex>
