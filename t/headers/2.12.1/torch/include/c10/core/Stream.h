#pragma once
#include <c10/core/Device.h>
#include <c10/core/DeviceType.h>
#include <c10/util/Exception.h>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
namespace c10 {
using StreamId = int64_t;
class __attribute__((__visibility__("default"))) Stream final {
private:
Device device_;
StreamId id_;
public:
enum Unsafe { UNSAFE };
enum Default { DEFAULT };
explicit Stream(Unsafe , Device device, StreamId id);
explicit Stream(Default , Device device);
bool operator==(const Stream& other) const noexcept;
bool operator!=(const Stream& other) const noexcept;
Device device() const noexcept;
DeviceType device_type() const noexcept;
DeviceIndex device_index() const noexcept;
StreamId id() const noexcept;
uint64_t hash() const noexcept;
};
__attribute__((__visibility__("default"))) std::ostream& operator<<(std::ostream& stream, const Stream& s);
}
