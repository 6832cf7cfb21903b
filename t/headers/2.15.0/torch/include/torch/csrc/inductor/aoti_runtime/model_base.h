#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <mutex>
#include <optional>
#include <regex>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>
#include <torch/csrc/inductor/aoti_runtime/device_utils.h>
#include <torch/csrc/inductor/aoti_runtime/utils.h>
#include <torch/csrc/inductor/aoti_runtime/constant_type.h>
namespace torch::aot_inductor {
inline void setUsePinnedAsyncConstantsCopy(bool enabled);
inline void setPinnedAsyncConstantsCopyStageBufferBytes(size_t bytes);
inline void setPinnedAsyncConstantsCopyCpuThreads(size_t threads);
}
namespace {
using RAIIDataPtr = std::unique_ptr<void, std::function<void(void*)>>;
using torch::aot_inductor::RAIIAtenTensorHandle;
}
namespace torch::aot_inductor {
inline void setUsePinnedAsyncConstantsCopy(bool enabled);
inline void setPinnedAsyncConstantsCopyStageBufferBytes(size_t bytes);
inline void setPinnedAsyncConstantsCopyCpuThreads(size_t threads);
using ConstantMap = std::unordered_map<std::string, RAIIAtenTensorHandle>;
template <typename Model>
class AOTInductorModelBase {
public:
AOTInductorModelBase(
size_t num_inputs,
size_t num_outputs,
size_t num_constants,
const std::string& device_str,
std::optional<std::string> cubin_dir,
bool include_weights = true);
~AOTInductorModelBase();
AOTInductorModelBase(AOTInductorModelBase&&) = delete;
AOTInductorModelBase& operator=(AOTInductorModelBase&&) = delete;
AOTInductorModelBase(const AOTInductorModelBase&) = delete;
AOTInductorModelBase& operator=(const AOTInductorModelBase&) = delete;
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
std::unordered_map<std::string, AtenTensorHandle> run_const_fold(
DeviceStreamType stream,
AOTIProxyExecutorHandle proxy_executor,
bool initialization = false);
void update_constants_from_blob(const uint8_t* weight_blob_ptr);
void load_constants(bool force = false);
size_t num_inputs() const;
size_t num_outputs() const;
size_t num_constants() const;
const char* input_name(int64_t idx) const;
const char* output_name(int64_t idx) const;
const char* constant_name(int64_t idx) const;
int32_t constant_dtype(int64_t idx) const;
size_t constant_data_size(int64_t idx) const;
const char* constant_original_fqn(int64_t idx) const;
const uint8_t* opaque_metadata(int64_t idx) const;
size_t opaque_metadata_size(int64_t idx);
bool constant_from_folded(int64_t idx) const;
int32_t constant_type(int64_t idx) const;
const char* get_in_spec() const;
const char* get_out_spec() const;
uint64_t constant_blob_size() const;
bool did_call_load_constants() const;
void update_constants_map(
std::shared_ptr<ConstantMap> constants_map,
bool remap_constants_array = true);
void update_constants_array(
std::shared_ptr<std::vector<ConstantHandle>> constants_array);
protected:
struct ParamInfo {
const char* name = nullptr;
};
struct ConstInfo {
const char* name = nullptr;
std::vector<int64_t> shape;
std::vector<int64_t> stride;
int32_t dtype{};
int32_t device_type{};
int64_t offset{};
size_t data_size{};
int32_t layout{};
std::vector<uint8_t> opaque_metadata;
int64_t opaque_metadata_size{};
const char* original_fqn = nullptr;
bool from_folded{};
int32_t type{};
};
std::vector<ParamInfo> inputs_info_;
std::vector<ParamInfo> outputs_info_;
std::vector<ConstInfo> constants_info_;
std::string in_spec_;
std::string out_spec_;
std::shared_ptr<ConstantMap> constants_map_;
std::shared_ptr<std::vector<ConstantHandle>> constants_;
RAIIDataPtr constant_blob_;
RAIIDataPtr aux_cpu_constant_blob_;
const std::optional<std::string> cubin_dir_;
bool include_weights;
bool did_call_load_constants_{false};
bool constant_blob_releasable_{true};
#ifdef USE_CUDA
std::optional<cudaEvent_t> run_finished_;
#endif
#ifndef USE_CUDA
bool run_finished_{};
#endif
int32_t device_type_{};
int32_t device_idx_{};
};
class AOTInductorModelKernelsBase {
public:
AOTInductorModelKernelsBase() = default;
AOTInductorModelKernelsBase(const AOTInductorModelKernelsBase&) = delete;
AOTInductorModelKernelsBase(AOTInductorModelKernelsBase&&) noexcept = delete;
AOTInductorModelKernelsBase& operator=(const AOTInductorModelKernelsBase&) =
delete;
AOTInductorModelKernelsBase& operator=(
AOTInductorModelKernelsBase&&) noexcept = delete;
virtual ~AOTInductorModelKernelsBase();
#ifdef USE_CUDA
std::vector<CUmodule> loaded_modules_;
#endif
};
}
