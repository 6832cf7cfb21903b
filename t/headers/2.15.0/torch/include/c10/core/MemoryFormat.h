#pragma once
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <torch/headeronly/core/MemoryFormat.h>
#include <cstdint>
#include <vector>
namespace c10 {
inline std::ostream& operator<<(
std::ostream& stream,
at::MemoryFormat memory_format);
}
