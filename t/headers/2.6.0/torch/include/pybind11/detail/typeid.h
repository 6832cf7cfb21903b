#pragma once
#include <cstdio>
#include <cstdlib>
#include <pybind11/detail/common.h>
