#pragma once
#include <ATen/core/ivalue.h>
#include <ATen/core/operator_name.h>
#include <c10/util/SmallVector.h>
#include <optional>
#include <array>
#include <functional>
#include <memory>
#include <variant>
namespace at {
enum class RecordScope : uint8_t {
FUNCTION = 0,
BACKWARD_FUNCTION,
TORCHSCRIPT_FUNCTION,
KERNEL_FUNCTION_DTYPE,
CUSTOM_CLASS,
BUILD_FEATURE,
LITE_INTERPRETER,
USER_SCOPE,
STATIC_RUNTIME_OP,
STATIC_RUNTIME_MODEL,
NUM_SCOPES,
};
}
namespace at {
constexpr std::size_t kSoftLimitCallbacks = 4;
struct ObserverContext {
virtual ~ObserverContext() = default;
protected:
ObserverContext() = default;
};
typedef c10::SmallVector<std::unique_ptr<ObserverContext>, kSoftLimitCallbacks>
ObserverContextList;
typedef uint64_t RecordFunctionHandle;
struct RecordFunction;
class __attribute__((__visibility__("default"))) RecordFunctionCallback {
public:
using StartCallback =
std::unique_ptr<ObserverContext> (*)(const RecordFunction&);
using EndCallback = void (*)(const RecordFunction&, ObserverContext*);
explicit RecordFunctionCallback(
StartCallback start,
EndCallback end = nullptr);
StartCallback start() const;
EndCallback end() const;
private:
StartCallback start_;
EndCallback end_;
double sampling_prob_ = 1.0;
std::array<bool, static_cast<size_t>(RecordScope::NUM_SCOPES)> scopes_ = {};
bool needs_inputs_ = false;
bool needs_outputs_ = false;
bool needs_ids_ = false;
};
struct StepCallbacks {
StepCallbacks() = default;
StepCallbacks(uint64_t thread_id, RecordScope scope);
bool empty() const;
struct StartEndPair {
RecordFunctionCallback::StartCallback start_;
RecordFunctionCallback::EndCallback end_;
};
using StartEndPairs = c10::SmallVector<StartEndPair, kSoftLimitCallbacks>;
StartEndPairs callbacks_;
uint64_t thread_id_{0};
RecordScope scope_{RecordScope::FUNCTION};
bool needs_inputs_{false};
bool needs_outputs_{false};
bool needs_ids_{false};
};
struct __attribute__((__visibility__("default"))) RecordFunction {
explicit RecordFunction(RecordScope scope = RecordScope::FUNCTION);
explicit RecordFunction(StepCallbacks&& step_callbacks);
virtual ~RecordFunction();
RecordFunction(const RecordFunction&) = delete;
RecordFunction& operator=(const RecordFunction&) = delete;
RecordFunction(RecordFunction&&) = delete;
RecordFunction& operator=(RecordFunction&&) = delete;
const char* name() const;
c10::ArrayRef<const IValue> inputs() const;
const std::vector<c10::IValue>& outputs() const;
size_t num_inputs() const;
size_t num_outputs() const;
RecordScope scope() const;
using schema_ref_t = std::reference_wrapper<const c10::FunctionSchema>;
void end();
RecordFunctionHandle handle() const;
std::optional<OperatorName> operator_name() const;
std::optional<FunctionSchema> operator_schema() const;
bool isActive() const;
private:
StepCallbacks step_callbacks_;
bool called_start_callbacks_ = false;
ObserverContextList ctx_;
std::variant<std::string, schema_ref_t> fn_;
int64_t sequence_nr_ = -1;
c10::ArrayRef<const IValue> inputs_;
std::unordered_map<std::string, IValue> kwinputs_;
std::vector<c10::IValue> outputs_;
uint64_t fwd_thread_id_ = 0;
RecordFunctionHandle handle_{0};
bool is_async_{false};
int64_t debug_handle_{-1};
bool is_static_runtime_out_variant_{false};
bool is_nccl_meta_{false};
};
namespace detail {
template <typename Inputs, typename F, typename... Args>
void record_function_with_scope(
RecordFunction& guard,
F fn,
const Inputs& inputs,
Args&&... args);
template <typename F, typename... Args>
void record_function_with_scope(
RecordFunction& guard,
F fn,
c10::ArrayRef<const c10::IValue> inputs,
Args&&... args);
}
}
#define RECORD_FUNCTION_WITH_SCOPE(scope,fn,inputs,...) at::RecordFunction guard(scope); if (guard.isActive()) { ::at::detail::record_function_with_scope( guard, fn, inputs, ##__VA_ARGS__); }
#define RECORD_FUNCTION(fn,inputs,...) RECORD_FUNCTION_WITH_SCOPE( at::RecordScope::FUNCTION, fn, inputs, ##__VA_ARGS__)
