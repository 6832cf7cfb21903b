#pragma once
#include <c10/core/Backend.h>
#include <c10/util/Exception.h>
#include <torch/headeronly/core/Layout.h>
namespace c10 {
inline std::ostream& operator<<(std::ostream& stream, at::Layout layout);
}
