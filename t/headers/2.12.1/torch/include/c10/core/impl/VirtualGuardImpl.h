#pragma once
#include <c10/core/impl/DeviceGuardImplInterface.h>
namespace c10::impl {
class VirtualGuardImpl final : public DeviceGuardImplInterface {
public:
VirtualGuardImpl(DeviceType device_type);
VirtualGuardImpl(const DeviceGuardImplInterface* impl);
VirtualGuardImpl(const VirtualGuardImpl&) = default;
VirtualGuardImpl& operator=(const VirtualGuardImpl&) = default;
VirtualGuardImpl(VirtualGuardImpl&&) noexcept = default;
VirtualGuardImpl& operator=(VirtualGuardImpl&&) noexcept = default;
~VirtualGuardImpl() override = default;
DeviceType type() const override;
private:
const DeviceGuardImplInterface* impl_ = nullptr;
};
}
