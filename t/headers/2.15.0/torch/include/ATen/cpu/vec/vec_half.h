#pragma once
#include <c10/util/Exception.h>
#include <torch/headeronly/cpu/vec/vec_half.h>
