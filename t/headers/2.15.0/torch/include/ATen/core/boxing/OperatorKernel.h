#pragma once
#include <c10/util/intrusive_ptr.h>
namespace c10 {
struct __attribute__((__visibility__("default"))) OperatorKernel : public c10::intrusive_ptr_target {
~OperatorKernel() override = default;
};
}
