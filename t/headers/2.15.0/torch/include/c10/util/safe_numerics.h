#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <cstddef>
#include <cstdint>
#include <type_traits>
