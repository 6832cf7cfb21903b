#pragma once
#include <torch/csrc/stable/accelerator.h>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/headeronly/core/DeviceType.h>
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Exception.h>
#include <torch/headeronly/util/shim_utils.h>
#include <string>
namespace torch {
namespace stable __attribute__((visibility("hidden"))) {
using DeviceType = torch::headeronly::DeviceType;
using DeviceIndex = torch::stable::accelerator::DeviceIndex;
class Device {
private:
DeviceType type_;
DeviceIndex index_ = -1;
public:
Device(DeviceType type, DeviceIndex index = -1);
Device(const std::string& device_string);
Device(const Device& other) = default;
Device(Device&& other) noexcept = default;
Device& operator=(const Device& other) = default;
Device& operator=(Device&& other) noexcept = default;
~Device() = default;
bool operator==(const Device& other) const noexcept;
bool operator!=(const Device& other) const noexcept;
DeviceType type() const noexcept;
DeviceIndex index() const noexcept;
};
}
}
