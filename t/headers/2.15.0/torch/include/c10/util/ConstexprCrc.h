#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <c10/util/IdWrapper.h>
#include <cstddef>
#include <cstdint>
#include <string_view>
namespace c10::util {
struct crc64_t final : IdWrapper<crc64_t, uint64_t> {
constexpr crc64_t(uint64_t checksum) : IdWrapper(checksum) {}
constexpr uint64_t checksum() const {
return this->underlyingId();
}
};
}
namespace std {
template <> struct hash<c10::util::crc64_t> {
size_t operator()(c10::util::crc64_t x) const;
};
}
