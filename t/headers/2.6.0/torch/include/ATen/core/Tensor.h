#pragma once
#include <ATen/core/TensorBody.h>
#include <c10/util/Exception.h>
namespace at {
class __attribute__((__visibility__("default"))) OptionalTensorRef {
public:
OptionalTensorRef() = default;
~OptionalTensorRef();
OptionalTensorRef(const TensorBase& src);
OptionalTensorRef(const OptionalTensorRef& rhs);
OptionalTensorRef(OptionalTensorRef&& rhs) = default;
OptionalTensorRef& operator=(OptionalTensorRef rhs);
bool has_value() const;
const Tensor& operator*() const &;
const Tensor* operator->() const &;
operator bool() const;
private:
Tensor ref_;
};
}
