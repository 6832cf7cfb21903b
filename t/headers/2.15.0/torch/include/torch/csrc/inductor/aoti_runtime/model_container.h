#pragma once
#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <unordered_set>
#include <torch/csrc/inductor/aoti_runtime/interface.h>
#include <torch/csrc/inductor/aoti_runtime/model.h>
namespace torch::aot_inductor {
enum class ConstantState : uint8_t { NONE, INITIALIZED, FOLDED, UNKNOWN };
struct ConstantBufferSet {
RAIIDataPtr blob;
RAIIDataPtr aux_cpu_blob;
std::shared_ptr<ConstantMap> map;
std::shared_ptr<std::vector<ConstantHandle>> array;
ConstantState fold_state{ConstantState::NONE};
void reset(AOTInductorModel* model);
};
class AOTInductorModelContainer {
private:
public:
AOTInductorModelContainer(
size_t num_models,
const std::string& device_str,
const std::optional<std::string>& cubin_dir = std::nullopt);
AOTInductorModelContainer(
size_t num_models,
const std::string& device_str,
const std::unordered_map<std::string, AtenTensorHandle>& constants,
const std::optional<std::string>& cubin_dir = std::nullopt);
void set_use_stream_affinity(bool use_stream_affinity);
int64_t get_stream_affinity_model_index(DeviceStreamType stream);
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
const std::vector<AOTInductorConstantMapEntry>& extract_constants_map_entries(
bool use_inactive);
size_t num_constants() const;
const char* constant_name(size_t idx) const;
const char* constant_original_fqn(size_t idx) const;
bool constant_from_folded(size_t idx) const;
size_t constant_data_size(size_t idx) const;
int32_t constant_type(size_t idx) const;
int32_t constant_dtype(size_t idx) const;
uint64_t constant_blob_size() const;
bool did_call_load_constants() const;
void update_constants_from_blob(const uint8_t* weight_blob_ptr);
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
bool user_managed = false,
bool allow_h2d_copy = false);
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
std::array<ConstantBufferSet, 2> buffers_;
int active_idx_{0};
size_t blob_size_;
std::vector<size_t> constants_internal_offset_;
size_t aux_cpu_blob_size_;
std::vector<size_t> aux_cpu_constants_internal_offset_;
std::vector<std::unique_ptr<AOTInductorModel>> models_;
std::vector<AOTInductorModel*> available_models_;
std::deque<AOTInductorModel*> pending_models_;
bool use_stream_affinity_{false};
std::unordered_map<DeviceStreamType, AOTInductorModel*> stream_models_;
std::unordered_map<AOTInductorModel*, DeviceStreamType> model_streams_;
std::unordered_map<DeviceStreamType, std::shared_ptr<std::mutex>>
stream_mutexes_;
std::unordered_set<AOTInductorModel*> checked_out_models_;
std::mutex models_mutex_;
std::condition_variable model_state_changed_;
std::vector<std::string> extracted_constant_map_entry_names_;
std::vector<AOTInductorConstantMapEntry> extracted_constant_map_entries_;
std::shared_mutex model_exec_mutex_;
};
}
