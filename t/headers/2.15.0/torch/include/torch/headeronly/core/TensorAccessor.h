#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Exception.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
namespace torch::headeronly {
}
