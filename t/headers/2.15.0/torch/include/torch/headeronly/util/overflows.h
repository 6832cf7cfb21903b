#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/TypeSafeSignMath.h>
#include <torch/headeronly/util/complex.h>
#include <cmath>
#include <limits>
#include <type_traits>
