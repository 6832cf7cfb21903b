#pragma once
#include <pybind11/detail/common.h>
