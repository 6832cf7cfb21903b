#pragma once
#include <ATen/core/boxing/OperatorKernel.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/util/intrusive_ptr.h>
namespace c10 {
struct IValue;
using Stack = std::vector<IValue>;
class OperatorHandle;
class KernelFunction;
class __attribute__((__visibility__("default"))) BoxedKernel final {
public:
using InternalBoxedKernelFunction =
void(OperatorKernel*, const OperatorHandle&, DispatchKeySet, Stack*);
BoxedKernel();
void callBoxed(
const OperatorHandle& opHandle,
DispatchKeySet dispatchKeySet,
Stack* stack) const;
private:
friend class KernelFunction;
explicit BoxedKernel(
std::unique_ptr<OperatorKernel> functor,
InternalBoxedKernelFunction* boxed_kernel_func);
c10::intrusive_ptr<OperatorKernel> functor_;
InternalBoxedKernelFunction* boxed_kernel_func_;
};
}
#include <ATen/core/boxing/BoxedKernel_impl.h>
