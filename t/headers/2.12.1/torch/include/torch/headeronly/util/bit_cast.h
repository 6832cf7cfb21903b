#pragma once
#include <cstring>
#include <type_traits>
#include <torch/headeronly/macros/Macros.h>
#include <bit>
