#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <torch/headeronly/macros/Macros.h>
namespace c10 {
using string_view = std::string_view;
}
