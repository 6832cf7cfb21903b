#pragma once
#include <ATen/SequenceNumber.h>
#include <ATen/core/boxing/KernelFunction.h>
#include <ATen/core/boxing/impl/boxing.h>
#include <ATen/core/dispatch/CppSignature.h>
#include <ATen/core/dispatch/OperatorEntry.h>
#include <ATen/core/dispatch/RegistrationHandleRAII.h>
#include <ATen/record_function.h>
#include <c10/core/SafePyObject.h>
#include <c10/util/Exception.h>
#include <c10/util/LeftRight.h>
#include <condition_variable>
#include <list>
#include <mutex>
#include <type_traits>
#include <torch/headeronly/core/enum_tag.h>
#include <ATen/core/grad_mode.h>
namespace c10 {
class __attribute__((__visibility__("default"))) OperatorHandle;
template <class FuncType>
class TypedOperatorHandle;
namespace detail {
class RegistrationListenerList;
}
class __attribute__((__visibility__("default"))) Dispatcher final {
private:
friend class impl::OperatorEntry;
struct OperatorDef final {
explicit OperatorDef(OperatorName&& op_name);
impl::OperatorEntry op;
size_t def_count = 0;
size_t def_and_impl_count = 0;
};
friend class OperatorHandle;
template <class>
friend class TypedOperatorHandle;
struct Guard final {
Guard();
std::atomic<bool> alive;
std::mutex mutex;
};
public:
~Dispatcher();
__attribute__((__always_inline__)) inline static Dispatcher& singleton();
OperatorHandle findSchemaOrThrow(const char* name, const char* overload_name);
template <class Return, class... Args>
Return call(const TypedOperatorHandle<Return(Args...)>& op, Args... args)
const;
void callBoxed(const OperatorHandle& op, Stack* stack) const;
private:
Dispatcher();
std::list<OperatorDef> operators_;
LeftRight<ska::flat_hash_map<OperatorName, OperatorHandle>>
operatorLookupTable_;
ska::flat_hash_map<std::string, std::string> libraries_;
std::array<impl::AnnotatedKernel, num_runtime_entries>
backendFallbackKernels_;
std::unique_ptr<detail::RegistrationListenerList> listeners_;
std::condition_variable cond_var_;
std::shared_ptr<Guard> guard_;
};
class __attribute__((__visibility__("default"))) OperatorHandle {
template <typename T>
friend struct std::hash;
public:
OperatorHandle(OperatorHandle&&) noexcept = default;
OperatorHandle& operator=(OperatorHandle&&) noexcept = default;
OperatorHandle(const OperatorHandle&) = default;
OperatorHandle& operator=(const OperatorHandle&) = default;
~OperatorHandle();
const OperatorName& operator_name() const;
const FunctionSchema& schema() const;
const std::string& debug() const;
void callBoxed(Stack* stack) const;
void callBoxed(Stack& stack) const;
bool operator==(const OperatorHandle& other) const;
bool operator!=(const OperatorHandle& other) const;
private:
explicit OperatorHandle(
std::list<Dispatcher::OperatorDef>::iterator operatorIterator);
friend class Dispatcher;
template <class>
friend class TypedOperatorHandle;
Dispatcher::OperatorDef* operatorDef_;
std::list<Dispatcher::OperatorDef>::iterator operatorIterator_;
};
template <class FuncType>
class TypedOperatorHandle final {
};
template <class Return, class... Args>
class TypedOperatorHandle<Return(Args...)> final : public OperatorHandle {
public:
TypedOperatorHandle(TypedOperatorHandle&&) noexcept = default;
TypedOperatorHandle& operator=(TypedOperatorHandle&&) noexcept = default;
TypedOperatorHandle(const TypedOperatorHandle&) = default;
TypedOperatorHandle& operator=(const TypedOperatorHandle&) = default;
__attribute__((__always_inline__)) inline Return call(Args... args) const;
private:
explicit TypedOperatorHandle(
std::list<Dispatcher::OperatorDef>::iterator operatorIterator);
friend class OperatorHandle;
};
}
namespace std {
template <>
struct hash<c10::OperatorHandle> {
size_t operator()(const c10::OperatorHandle& op) const noexcept;
};
}
