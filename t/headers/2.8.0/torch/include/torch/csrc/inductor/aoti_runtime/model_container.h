#pragma once
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <torch/csrc/inductor/aoti_runtime/model.h>
namespace torch::aot_inductor {
enum class ConstantState : uint8_t { NONE, INITIALIZED, FOLDED, UNKNOWN };
class AOTInductorModelContainer {
public:
AOTInductorModelContainer(
size_t num_models,
const std::string& device_str,
const std::optional<std::string>& cubin_dir = std::nullopt);
void run(
AtenTensorHandle*
input_handles,
AtenTensorHandle*
output_handles,
DeviceStreamType stream,
AOTIProxyExecutorHandle proxy_executor);
void run_single_threaded(
AtenTensorHandle*
input_handles,
AtenTensorHandle*
output_handles,
DeviceStreamType stream,
AOTIProxyExecutorHandle proxy_executor);
const std::unordered_map<std::string, AtenTensorHandle> extract_constants_map(
bool use_inactive) const;
size_t num_constants() const;
const char* constant_name(size_t idx) const;
const char* constant_original_fqn(size_t idx) const;
bool constant_from_folded(size_t idx) const;
size_t constant_data_size(size_t idx) const;
int32_t constant_type(size_t idx) const;
int32_t constant_dtype(size_t idx) const;
void run_const_fold(
bool inactive_buffer,
DeviceStreamType stream,
AOTIProxyExecutorHandle proxy_executor);
void update_constant_buffer(
std::unordered_map<std::string, AtenTensorHandle>&& constants_map,
bool use_inactive,
bool validate_full_update);
void update_constant_buffer(
const std::unordered_map<std::string, AtenTensorHandle>& constants_map,
bool use_inactive,
bool validate_full_update,
bool user_managed = false);
void swap_constant_buffer();
void free_inactive_constant_buffer();
size_t num_inputs() const;
size_t num_outputs() const;
const char* input_name(size_t idx) const;
const char* output_name(size_t idx) const;
size_t num_models() const;
const char* get_in_spec() const;
const char* get_out_spec() const;
private:
std::vector<std::string> input_names_;
std::vector<std::string> output_names_;
const char* in_spec_;
const char* out_spec_;
RAIIDataPtr constant_blob_;
RAIIDataPtr constant_blob_secondary_;
size_t blob_size_;
std::vector<size_t> constants_internal_offset_;
bool use_secondary_{false};
ConstantState constant_folded_{ConstantState::NONE};
ConstantState constant_folded_secondary_{ConstantState::NONE};
std::shared_ptr<ConstantMap> constants_map_;
std::shared_ptr<ConstantMap> constants_map_secondary_;
std::shared_ptr<std::vector<ConstantHandle>> constants_array_;
std::shared_ptr<std::vector<ConstantHandle>> constants_array_secondary_;
std::vector<std::unique_ptr<AOTInductorModel>> models_;
std::vector<AOTInductorModel*> available_models_;
std::deque<AOTInductorModel*> pending_models_;
std::mutex models_mutex_;
std::condition_variable pending_models_available_;
std::shared_mutex model_exec_mutex_;
};
}
