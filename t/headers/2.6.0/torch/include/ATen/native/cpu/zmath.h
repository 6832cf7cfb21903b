#pragma once
#include <c10/util/complex.h>
#include <c10/util/MathConstants.h>
#include <ATen/NumericUtils.h>
