#pragma once
#include <ATen/core/ATen_fwd.h>
#include <ATen/core/boxing/BoxedKernel.h>
#include <ATen/core/stack.h>
#include <c10/core/DispatchKeySet.h>
#include <torch/headeronly/util/TypeList.h>
#include <c10/util/intrusive_ptr.h>
#include <atomic>
#include <memory>
#include <type_traits>
namespace c10 {
using Stack = torch::jit::Stack;
class OperatorHandle;
struct OperatorKernel;
class KernelFunction;
class KernelToken;
class __attribute__((__visibility__("default"))) KernelFunction final {
public:
using InternalBoxedKernelFunction = BoxedKernel::InternalBoxedKernelFunction;
KernelFunction();
~KernelFunction();
KernelFunction(const KernelFunction& other);
KernelFunction& operator=(const KernelFunction& other);
KernelFunction(KernelFunction&&) noexcept = default;
void callBoxed(
const OperatorHandle& opHandle,
DispatchKeySet dispatchKeySet,
Stack* stack) const;
template <class Return, class... Args>
Return call(
const OperatorHandle& opHandle,
DispatchKeySet dispatchKeySet,
Args... args) const;
private:
explicit KernelFunction(
std::unique_ptr<OperatorKernel> functor,
InternalBoxedKernelFunction* boxed_kernel_func,
void* unboxed_kernel_func,
void* sym_unboxed_kernel_func);
explicit KernelFunction(
BoxedKernel boxed_fn,
void* unboxed_kernel_func,
void* sym_unboxed_kernel_func);
BoxedKernel boxed_kernel_func_;
void* unboxed_kernel_func_;
void* sym_unboxed_kernel_func_;
mutable std::unique_ptr<std::vector<std::weak_ptr<KernelToken>>> tokens_;
};
class KernelToken {
public:
private:
std::atomic<bool> invalid_{false};
};
}
#include <ATen/core/boxing/KernelFunction_impl.h>
