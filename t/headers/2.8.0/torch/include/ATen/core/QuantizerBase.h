#pragma once
#include <c10/core/ScalarType.h>
#include <c10/core/QScheme.h>
#include <c10/util/intrusive_ptr.h>
namespace at {
class Tensor;
struct Quantizer;
struct __attribute__((__visibility__("default"))) Quantizer : public c10::intrusive_ptr_target {
const ScalarType scalar_type_;
explicit Quantizer(ScalarType scalar_type);
~Quantizer() override = default;
virtual QScheme qscheme() const = 0;
ScalarType scalar_type() const;
};
}
