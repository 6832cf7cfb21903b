#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/floating_point_utils.h>
#include <cstdint>
namespace torch::headeronly {
}
