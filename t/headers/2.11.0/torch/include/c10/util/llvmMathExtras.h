#pragma once
#include <torch/headeronly/util/bit_cast.h>
#include <algorithm>
#include <cassert>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
namespace c10::llvm {
}
