#pragma once
#include <ATen/core/TensorBody.h>
#include <c10/util/Exception.h>
namespace at {
class __attribute__((__visibility__("default"))) OptionalTensorRef {
public:
OptionalTensorRef() = default;
~OptionalTensorRef();
OptionalTensorRef(const TensorBase& src [[clang::lifetimebound]]);
OptionalTensorRef(const OptionalTensorRef& rhs);
OptionalTensorRef(OptionalTensorRef&& rhs) = default;
OptionalTensorRef& operator=(OptionalTensorRef rhs);
bool has_value() const;
const Tensor& operator*() const & [[clang::lifetimebound]];
const Tensor* operator->() const & [[clang::lifetimebound]];
operator bool() const;
private:
Tensor ref_;
};
}
