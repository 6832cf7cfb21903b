#pragma once
#include <complex>
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Half.h>
#include <ATen/cpu/vec/vec_half.h>
#include <torch/headeronly/util/complex.h>
#include <c10/util/complex_math.h>
#include <c10/util/complex_utils.h>
