#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <limits>
#include <type_traits>
