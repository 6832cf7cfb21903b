#pragma once
#include <ATen/core/boxing/KernelFunction.h>
#include <ATen/core/dispatch/DispatchKeyExtractor.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <c10/core/DispatchKey.h>
#include <c10/core/PyHandleCache.h>
#include <c10/core/SafePyObject.h>
#include <torch/headeronly/util/Metaprogramming.h>
#include <c10/util/flat_hash_map.h>
#include <ATen/core/dispatch/CppSignature.h>
#include <ATen/core/dispatch/OperatorOptions.h>
#include <ATen/core/dispatch/RegistrationHandleRAII.h>
#include <torch/headeronly/core/enum_tag.h>
#include <array>
#include <list>
#include <optional>
namespace c10 {
class Dispatcher;
namespace impl {
struct AnnotatedKernel final {
AnnotatedKernel(
KernelFunction k,
std::unique_ptr<FunctionSchema> s,
std::string d);
AnnotatedKernel() = default;
KernelFunction kernel;
std::unique_ptr<FunctionSchema> inferred_function_schema;
std::string debug;
};
struct AnnotatedSchema final {
AnnotatedSchema(FunctionSchema s, std::string d);
FunctionSchema schema;
std::string debug;
};
class __attribute__((__visibility__("default"))) OperatorEntry final {
public:
explicit OperatorEntry(OperatorName&& operator_name);
OperatorEntry(const OperatorEntry&) = delete;
OperatorEntry(OperatorEntry&&) noexcept = delete;
OperatorEntry& operator=(const OperatorEntry&) = delete;
OperatorEntry& operator=(OperatorEntry&&) noexcept = delete;
const FunctionSchema& schema() const;
const std::string& debug() const;
const OperatorName& operator_name() const;
private:
OperatorName name_;
std::optional<AnnotatedSchema> schema_;
std::vector<at::Tag> tags_;
std::array<KernelFunction, c10::num_runtime_entries> dispatchTable_;
DispatchKeyExtractor dispatchKeyExtractor_;
c10::PyHandleCache py_cache_;
ska::flat_hash_map<
DispatchKey,
std::list<AnnotatedKernel>
>
kernels_;
struct CppSignatureWithDebug {
CppSignature signature;
std::string debug;
std::optional<DispatchKey> dispatch_key;
};
std::optional<CppSignatureWithDebug> cpp_signature_;
std::optional<CppSignatureWithDebug> sym_cpp_signature_;
std::unique_ptr<c10::SafePyObject> report_error_callback_;
const bool is_observed_;
};
}
}
