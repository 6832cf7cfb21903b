#pragma once
#include <c10/core/Device.h>
#include <c10/core/DeviceType.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/core/impl/InlineEvent.h>
#include <c10/core/impl/VirtualGuardImpl.h>
namespace c10 {
struct Event final {
Event() = delete;
Event(
const DeviceType _device_type,
const EventFlag _flag = EventFlag::PYTORCH_DEFAULT);
Event(const Event&) = delete;
Event& operator=(const Event&) = delete;
Event(Event&&) noexcept = default;
Event& operator=(Event&&) noexcept = default;
~Event() = default;
Device device() const noexcept;
DeviceType device_type() const noexcept;
DeviceIndex device_index() const noexcept;
private:
impl::InlineEvent<impl::VirtualGuardImpl> impl_;
};
}
