#pragma once
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/headeronly/core/Layout.h>
#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Exception.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>
#include <torch/headeronly/util/shim_utils.h>
#include <climits>
#include <memory>
#include <torch/csrc/stable/accelerator.h>
#include <torch/csrc/stable/device_struct.h>
namespace torch {
namespace stable __attribute__((visibility("hidden"))) {
using accelerator::DeviceIndex;
using torch::headeronly::Layout;
using torch::headeronly::ScalarType;
class Tensor {
private:
std::shared_ptr<AtenTensorOpaque> ath_;
public:
Tensor();
explicit Tensor(AtenTensorHandle ath);
Tensor(const Tensor& other) = default;
Tensor(Tensor&& other) noexcept = default;
Tensor& operator=(const Tensor& other) = default;
Tensor& operator=(Tensor&& other) noexcept = default;
~Tensor() = default;
AtenTensorHandle get() const;
void* data_ptr() const;
int64_t dim() const;
int64_t size(int64_t dim) const;
ScalarType scalar_type() const;
Device device() const;
Layout layout() const;
};
}
}
