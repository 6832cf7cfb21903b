#pragma once
#include <torch/csrc/inductor/aoti_runtime/utils.h>
extern "C" {
struct AOTInductorModelOpaque;
using AOTInductorModelHandle = AOTInductorModelOpaque*;
struct AOTInductorModelContainerOpaque;
using AOTInductorModelContainerHandle = AOTInductorModelContainerOpaque*;
struct AOTInductorStreamOpaque;
using AOTInductorStreamHandle = AOTInductorStreamOpaque*;
struct AOTInductorConstantMap;
using AOTInductorConstantMapHandle = AOTInductorConstantMap*;
struct AOTInductorConstantMapEntry {
const char* name;
AtenTensorHandle handle;
};
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerCreate(
AOTInductorModelContainerHandle* container_handle,
size_t num_models,
bool is_cpu,
const char* cubin_dir);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerCreateWithDevice(
AOTInductorModelContainerHandle* container_handle,
size_t num_models,
const char* device_str,
const char* cubin_dir);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerDelete(
AOTInductorModelContainerHandle container_handle);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerRun(
AOTInductorModelContainerHandle container_handle,
AtenTensorHandle* input_handles,
size_t num_inputs,
AtenTensorHandle*
output_handles,
size_t num_outputs,
AOTInductorStreamHandle stream_handle,
AOTIProxyExecutorHandle proxy_executor_handle);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerRunSingleThreaded(
AOTInductorModelContainerHandle container_handle,
AtenTensorHandle* input_handles,
size_t num_inputs,
AtenTensorHandle*
output_handles,
size_t num_outputs,
AOTInductorStreamHandle stream_handle,
AOTIProxyExecutorHandle proxy_executor_handle);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerGetNumConstants(
AOTInductorModelContainerHandle container_handle,
size_t* num_constants);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerGetConstantName(
AOTInductorModelContainerHandle container_handle,
size_t idx,
const char** name);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerGetConstantOriginalFQN(
AOTInductorModelContainerHandle container_handle,
size_t idx,
const char** original_fqn);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerGetConstantFromFolded(
AOTInductorModelContainerHandle container_handle,
size_t idx,
bool* from_folded);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerGetConstantType(
AOTInductorModelContainerHandle container_handle,
size_t idx,
int32_t* type);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerGetConstantDtype(
AOTInductorModelContainerHandle container_handle,
size_t idx,
int32_t* dtype);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerGetConstantDataSize(
AOTInductorModelContainerHandle container_handle,
size_t idx,
size_t* data_size);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerExtractConstantsMap(
AOTInductorModelContainerHandle container_handle,
AOTInductorConstantMapHandle constant_map_handle,
bool use_inactive);
__attribute__((__visibility__("default"))) AOTIRuntimeError
AOTInductorModelContainerUpdateUserManagedConstantBuffer(
AOTInductorModelContainerHandle container_handle,
AOTInductorConstantMapHandle constant_map_handle,
bool use_inactive,
bool validate_full_update);
__attribute__((__visibility__("default"))) AOTIRuntimeError
AOTInductorModelContainerUpdateUserManagedConstantBufferPairs(
AOTInductorModelContainerHandle container_handle,
const AOTInductorConstantMapEntry* pairs,
size_t num_pairs,
bool use_inactive,
bool validate_full_update);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerUpdateConstantBuffer(
AOTInductorModelContainerHandle container_handle,
AOTInductorConstantMapHandle constant_map_handle,
bool use_inactive,
bool validate_full_update);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerUpdateInactiveConstantBuffer(
AOTInductorModelContainerHandle container_handle,
AOTInductorConstantMapHandle constant_map_handle);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerFreeInactiveConstantBuffer(
AOTInductorModelContainerHandle container_handle);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerRunConstantFolding(
AOTInductorModelContainerHandle container_handle,
bool use_inactive,
AOTInductorStreamHandle stream_handle,
AOTIProxyExecutorHandle proxy_executor_handle);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerSwapConstantBuffer(
AOTInductorModelContainerHandle container_handle);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerGetNumInputs(
AOTInductorModelContainerHandle container_handle,
size_t* ret_num_inputs);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerGetInputName(
AOTInductorModelContainerHandle container_handle,
size_t input_idx,
const char** ret_input_names);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerGetNumOutputs(
AOTInductorModelContainerHandle container_handle,
size_t* ret_num_outputs);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerGetOutputName(
AOTInductorModelContainerHandle container_handle,
size_t output_idx,
const char** ret_output_names);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelCreate(
AOTInductorModelHandle* model_handle,
AOTInductorConstantMapHandle constant_map_handle);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelRun(
AOTInductorModelHandle model_handle,
AtenTensorHandle* input_handles,
AtenTensorHandle* output_handles);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelUpdateConstantsMap(
AOTInductorModelHandle model_handle,
AOTInductorConstantMapHandle constant_map_handle);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerGetConstantsBlobSize(
AOTInductorModelContainerHandle container_handle,
uint64_t* ret_size);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelUpdateConstantsFromBlob(
AOTInductorModelContainerHandle container_handle,
const uint8_t* weight_blob_ptr);
__attribute__((__visibility__("default"))) AOTIRuntimeError
AOTInductorModelDelete(AOTInductorModelHandle model_handle);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelGetNumOutputs(
AOTInductorModelHandle model_handle,
size_t* ret_num_outputs);
__attribute__((__visibility__("default"))) AOTIRuntimeError AOTInductorModelContainerGetCallSpec(
AOTInductorModelContainerHandle container_handle,
const char** in_spec,
const char** out_spec);
}
