#pragma once
#include <c10/core/Device.h>
#include <c10/core/DeviceCapability.h>
#include <c10/core/DeviceType.h>
#include <c10/core/Stream.h>
#include <c10/util/Exception.h>
#include <c10/core/impl/TorchDispatchModeTLS.h>
#include <c10/util/Registry.h>
#include <array>
#include <atomic>
namespace c10 {
class DataPtr;
enum class EventFlag {
PYTORCH_DEFAULT,
BACKEND_DEFAULT,
INVALID
};
namespace impl {
struct __attribute__((__visibility__("default"))) DeviceGuardImplInterface {
DeviceGuardImplInterface() = default;
DeviceGuardImplInterface(const DeviceGuardImplInterface&) = default;
DeviceGuardImplInterface& operator=(const DeviceGuardImplInterface&) =
default;
DeviceGuardImplInterface(DeviceGuardImplInterface&&) noexcept = default;
DeviceGuardImplInterface& operator=(DeviceGuardImplInterface&&) noexcept =
default;
virtual DeviceType type() const = 0;
virtual ~DeviceGuardImplInterface() = default;
};
}
}
