#pragma once
#include <c10/core/Backend.h>
#include <c10/core/ScalarType.h>
#include <c10/core/Layout.h>
#include <c10/core/TensorOptions.h>
#include <c10/core/Storage.h>
#include <ATen/core/DeprecatedTypePropertiesRegistry.h>
#include <ATen/core/Generator.h>
namespace at {
class Tensor;
class __attribute__((__visibility__("default"))) DeprecatedTypeProperties {
public:
DeprecatedTypeProperties(Backend backend, ScalarType scalar_type);
Backend backend() const;
Layout layout() const;
c10::DeviceType device_type() const;
caffe2::TypeMeta typeMeta() const;
bool operator==(const DeprecatedTypeProperties& other) const;
bool operator!=(const DeprecatedTypeProperties& other) const;
DeprecatedTypeProperties & cpu() const;
DeprecatedTypeProperties & cuda() const;
DeprecatedTypeProperties & hip() const;
TensorOptions options(int16_t device_index = -1) const;
TensorOptions options(std::optional<Device> device_opt) const;
operator TensorOptions() const;
int64_t id() const;
Tensor copy(const Tensor & src, bool non_blocking=false, std::optional<Device> to_device={}) const;
private:
Backend backend_;
ScalarType scalar_type_;
};
}
