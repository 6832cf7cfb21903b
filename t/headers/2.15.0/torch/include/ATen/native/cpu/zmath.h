#pragma once
#include <c10/util/complex.h>
#include <torch/headeronly/util/MathConstants.h>
#include <ATen/NumericUtils.h>
