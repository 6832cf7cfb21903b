#pragma once
#include <c10/core/Backend.h>
#include <torch/headeronly/util/BFloat16.h>
#include <c10/util/Exception.h>
#include <torch/headeronly/util/Float4_e2m1fn_x2.h>
#include <torch/headeronly/util/Float8_e4m3fn.h>
#include <torch/headeronly/util/Float8_e4m3fnuz.h>
#include <torch/headeronly/util/Float8_e5m2.h>
#include <torch/headeronly/util/Float8_e5m2fnuz.h>
#include <torch/headeronly/util/Float8_e8m0fnu.h>
#include <torch/headeronly/util/Half.h>
#include <ATen/cpu/vec/vec_half.h>
#include <torch/headeronly/util/bits.h>
#include <c10/util/complex.h>
#include <torch/headeronly/util/qint32.h>
#include <torch/headeronly/util/qint8.h>
#include <torch/headeronly/util/quint2x4.h>
#include <torch/headeronly/util/quint4x2.h>
#include <torch/headeronly/util/quint8.h>
#include <array>
#include <cstddef>
#include <limits>
#include <ostream>
#include <type_traits>
#include <unordered_map>
#include <torch/headeronly/core/ScalarType.h>
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
