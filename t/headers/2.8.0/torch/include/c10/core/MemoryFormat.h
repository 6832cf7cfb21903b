#pragma once
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <cstdint>
#include <ostream>
#include <vector>
namespace c10 {
enum class MemoryFormat : int8_t {
Contiguous,
Preserve,
ChannelsLast,
ChannelsLast3d,
NumOptions
};
inline std::ostream& operator<<(
std::ostream& stream,
at::MemoryFormat memory_format);
}
