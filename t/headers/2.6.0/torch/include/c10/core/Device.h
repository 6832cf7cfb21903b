#pragma once
#include <c10/core/DeviceType.h>
#include <c10/util/Exception.h>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
namespace c10 {
using DeviceIndex = int8_t;
struct __attribute__((__visibility__("default"))) Device final {
using Type = DeviceType;
Device(DeviceType type, DeviceIndex index = -1);
Device(const std::string& device_string);
bool operator==(const Device& other) const noexcept;
bool operator!=(const Device& other) const noexcept;
DeviceType type() const noexcept;
DeviceIndex index() const noexcept;
bool is_cpu() const noexcept;
std::string str() const;
private:
DeviceType type_;
DeviceIndex index_ = -1;
};
__attribute__((__visibility__("default"))) std::ostream& operator<<(std::ostream& stream, const Device& device);
}
