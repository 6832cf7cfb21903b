
#include <torch/csrc/inductor/aoti_include/cpu.h>
// Definition of AOTI runtime interface functions

#include <torch/csrc/inductor/aoti_runtime/interface.h>
#include <torch/csrc/inductor/aoti_runtime/model_container.h>
template <typename T, typename... More>
void assert_size_stride(T&, std::initializer_list<int64_t>, std::initializer_list<int64_t>,
                        const char*, More...);
template <typename... T> void assert_alignment(T&&...);
extern "C"  void  cpp_fused_native_layer_norm_0(float* in_out_ptr0,
                       const float* in_ptr0,
                       float* out_ptr1,
                       float* out_ptr2,
                       float* out_ptr3);
extern "C"  void  cpp_fused_add_gelu_native_layer_norm_1(float* in_out_ptr0,
                       const float* in_ptr0,
                       const float* in_ptr1,
                       float* out_ptr1,
                       float* out_ptr2,
                       float* out_ptr3);
extern "C"  void  cpp_fused_add_gelu_2(float* in_out_ptr0,
                       const float* in_ptr0,
                       const float* in_ptr1);
extern "C"  void  cpp_fused_mul_3(float* in_out_ptr0);
extern "C"  void  cpp_fused_gt_sum_4(const float* in_ptr0,
                       float* out_ptr0,
                       bool* out_ptr1);
extern "C"  void  cpp_fused_cos_gt_mul_5(const float* in_ptr0,
                       float* out_ptr0);
extern "C"  void  cpp_fused_add_gt_mul_sin_6(const float* in_ptr0,
                       float* out_ptr0);
extern "C"  void  cpp_fused__softmax_add_log_7(float* in_out_ptr0,
                       const float* in_ptr0,
                       float* out_ptr0,
                       float* out_ptr1,
                       float* out_ptr2);
CACHE_TORCH_DTYPE(float32);
CACHE_TORCH_DTYPE(bool);
CACHE_TORCH_DEVICE(cpu);
CACHE_TORCH_LAYOUT(strided);
namespace torch::aot_inductor {
namespace {
class AOTInductorModelKernels : public AOTInductorModelKernelsBase {
  public:
    void* cpp_fused__softmax_add_log_7{nullptr};
    void* cpp_fused_add_gelu_2{nullptr};
    void* cpp_fused_add_gelu_native_layer_norm_1{nullptr};
    void* cpp_fused_add_gt_mul_sin_6{nullptr};
    void* cpp_fused_cos_gt_mul_5{nullptr};
    void* cpp_fused_gt_sum_4{nullptr};
    void* cpp_fused_mul_3{nullptr};
    void* cpp_fused_native_layer_norm_0{nullptr};
};
}  // namespace



AOTInductorModel::AOTInductorModel(std::shared_ptr<ConstantMap> constants_map,
                                   std::shared_ptr<std::vector<ConstantHandle>> constants_array,
                                   const std::string& device_str,
                                   std::optional<std::string> cubin_dir)
    : AOTInductorModelBase(1,
                           2,
                           2,
                           device_str,
                           std::move(cubin_dir),
                           true) {
    inputs_info_[0].name = "arg8_1";
    constants_info_[0].name = "layers_0_up_weight";
    constants_info_[0].dtype = cached_torch_dtype_float32;
    constants_info_[0].device_type = cached_torch_device_type_cpu;
    constants_info_[0].offset = 0;
    constants_info_[0].data_size = 256;
    constants_info_[0].from_folded = false;
    constants_info_[0].type = static_cast<int32_t>(torch::aot_inductor::ConstantType::Parameter);
    constants_info_[0].shape = {8, 8};
    constants_info_[0].stride = {8, 1};
    constants_info_[0].layout = static_cast<int32_t>(cached_torch_layout_strided);
    constants_info_[0].original_fqn = "layers.0.up.weight";
    constants_info_[1].name = "layers_1_up_weight";
    constants_info_[1].dtype = cached_torch_dtype_float32;
    constants_info_[1].device_type = cached_torch_device_type_cpu;
    constants_info_[1].offset = 0;
    constants_info_[1].data_size = 256;
    constants_info_[1].from_folded = false;
    constants_info_[1].type = static_cast<int32_t>(torch::aot_inductor::ConstantType::Parameter);
    constants_info_[1].shape = {8, 8};
    constants_info_[1].stride = {8, 1};
    constants_info_[1].layout = static_cast<int32_t>(cached_torch_layout_strided);
    constants_info_[1].original_fqn = "layers.1.up.weight";
    update_constants_map(std::move(constants_map));
    update_constants_array(std::move(constants_array));
    in_spec_ = R"([1, {"type": "builtins.tuple", "context": "null", "children_spec": [{"type": "builtins.tuple", "context": "null", "children_spec": [{"type": null, "context": null, "children_spec": []}]}, {"type": "builtins.dict", "context": "[]", "children_spec": []}]}])";
    out_spec_ = R"([1, {"type": "builtins.tuple", "context": "null", "children_spec": [{"type": null, "context": null, "children_spec": []}, {"type": null, "context": null, "children_spec": []}]}])";
    outputs_info_[0].name = "output0";
    outputs_info_[1].name = "output1";
    this->kernels_ = std::make_unique<AOTInductorModelKernels>();
}

std::unordered_map<std::string, AtenTensorHandle> AOTInductorModel::const_run_impl(
    DeviceStreamType stream,
    AOTIProxyExecutorHandle proxy_executor,
    bool initialization
) {

    if (!initialization) {
        std::cerr << "[WARNING] Calling constant_folding in model, but compiled with config: "
                  << "aot_inductor.use_runtime_constant_folding=False\n";
    }
    return {};
}
} // namespace torch::aot_inductor
using namespace torch::aot_inductor;
namespace torch::aot_inductor {

void AOTInductorModel::_const_run_impl(
    std::vector<AtenTensorHandle>& output_handles,
    DeviceStreamType stream,
    AOTIProxyExecutorHandle proxy_executor
) {}

AOTI_NOINLINE static void check_input_0(
    AtenTensorHandle* input_handles
) {
    ConstantHandle arg8_1 = ConstantHandle(input_handles[0]);
    int32_t arg8_1_dtype;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_get_dtype(arg8_1, &arg8_1_dtype));

    int32_t arg8_1_expected_dtype = aoti_torch_dtype_float32();
    if (arg8_1_expected_dtype != arg8_1_dtype) {
        std::stringstream ss;
        ss << "input_handles[0]: unmatched dtype, "
           << "expected: " << arg8_1_expected_dtype << "(at::kFloat), "
           << "but got: " << arg8_1_dtype << "\n";
        throw std::runtime_error(std::move(ss).str());
    }
    auto arg8_1_size = arg8_1.sizes();

    if (8 != arg8_1_size[0]) {
        std::stringstream ss;
        ss << "input_handles[0]: unmatched dim value at 0, "
           << "expected: 8, " << "but got: " << arg8_1_size[0]
           << "\n";
        throw std::runtime_error(std::move(ss).str());
    }

    if (8 != arg8_1_size[1]) {
        std::stringstream ss;
        ss << "input_handles[0]: unmatched dim value at 1, "
           << "expected: 8, " << "but got: " << arg8_1_size[1]
           << "\n";
        throw std::runtime_error(std::move(ss).str());
    }
    auto arg8_1_stride = arg8_1.strides();

    if (8 != arg8_1_stride[0]) {
        std::stringstream ss;
        ss << "input_handles[0]: unmatched stride value at 0, "
           << "expected: 8, " << "but got: " << arg8_1_stride[0]
           << "\n";
        throw std::runtime_error(std::move(ss).str());
    }

    if (1 != arg8_1_stride[1]) {
        std::stringstream ss;
        ss << "input_handles[0]: unmatched stride value at 1, "
           << "expected: 1, " << "but got: " << arg8_1_stride[1]
           << "\n";
        throw std::runtime_error(std::move(ss).str());
    }
    int32_t arg8_1_device_type;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_get_device_type(arg8_1, &arg8_1_device_type));

    int32_t arg8_1_expected_device_type = 0;
    if (arg8_1_expected_device_type != arg8_1_device_type) {
        std::stringstream ss;
        ss << "input_handles[0]: unmatched device type, "
        << "expected: " << arg8_1_expected_device_type << "0(cpu), "
        << "but got: " << arg8_1_device_type << "\n";
        throw std::runtime_error(std::move(ss).str());
    }
}

static bool _check_aoti_runtime_check_inputs_env() {
    const static char* env_var_value = getenv("AOTI_RUNTIME_CHECK_INPUTS");
    const static bool result = env_var_value != nullptr && env_var_value[0] != '0';
    return result;
}

AOTI_NOINLINE static void __check_inputs_outputs(
    AtenTensorHandle* input_handles,
    AtenTensorHandle* output_handles) {
    if (!_check_aoti_runtime_check_inputs_env()){
        return;
    }
    check_input_0(input_handles);
}

void AOTInductorModel::run_impl(
    AtenTensorHandle*
        input_handles, // array of input AtenTensorHandle; handles
                        // are stolen; the array itself is borrowed
    AtenTensorHandle*
        output_handles, // array for writing output AtenTensorHandle; handles
                        // will be stolen by the caller; the array itself is
                        // borrowed
    DeviceStreamType stream,
    AOTIProxyExecutorHandle proxy_executor
) {
    __check_inputs_outputs(input_handles, output_handles);
    auto inputs = steal_from_raw_handles_to_raii_handles(input_handles, 1);
    auto arg8_1 = std::move(inputs[0]);
    [[maybe_unused]] auto& layers_0_up_weight = constants_->at(0);
    [[maybe_unused]] auto& layers_1_up_weight = constants_->at(1);
    inputs.clear();
    [[maybe_unused]] auto& kernels = static_cast<AOTInductorModelKernels&>(*this->kernels_.get());
    if (_check_aoti_runtime_check_inputs_env()) { assert_size_stride(arg8_1, {8L, 8L}, {8L, 1L}, "input"); }
    static constexpr int64_t int_array_0[] = {8L, 1L};
    static constexpr int64_t int_array_1[] = {1L, 8L};
    AtenTensorHandle buf0_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_0, int_array_1, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &buf0_handle));
    RAIIAtenTensorHandle buf0(buf0_handle);
    auto buf1 = std::move(buf0);  // reuse
    AtenTensorHandle buf2_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_0, int_array_1, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &buf2_handle));
    RAIIAtenTensorHandle buf2(buf2_handle);
    static constexpr int64_t int_array_2[] = {8L, 8L};
    AtenTensorHandle buf3_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_2, int_array_0, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &buf3_handle));
    RAIIAtenTensorHandle buf3(buf3_handle);
    static constexpr int64_t int_array_3[] = {8L, };
    static constexpr int64_t int_array_4[] = {1L, };
    AtenTensorHandle buf4_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(1, int_array_3, int_array_4, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &buf4_handle));
    RAIIAtenTensorHandle buf4(buf4_handle);
    // [Provenance debug handles] cpp_fused_native_layer_norm_0:1
    cpp_fused_native_layer_norm_0((float*)(buf1.data_ptr()), (const float*)(arg8_1.data_ptr()), (float*)(buf2.data_ptr()), (float*)(buf3.data_ptr()), (float*)(buf4.data_ptr()));
    AtenTensorHandle buf5_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_2, int_array_0, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &buf5_handle));
    RAIIAtenTensorHandle buf5(buf5_handle);
    // Topologically Sorted Source Nodes: [layer_norm, linear], Original ATen: [aten.native_layer_norm, aten.t, aten.addmm]
    // [Provenance debug handles] aoti_torch_cpu_addmm_out:2
    static constexpr int64_t int_array_5[] = {8L, 8L};
    static constexpr int64_t int_array_6[] = {1L, 8L};
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_addmm_out(buf5, buf4, buf3, wrap_with_raii_handle_if_needed(reinterpret_tensor_wrapper(layers_0_up_weight, 2, int_array_5, int_array_6, 0L)), 1L, 1L));
    auto buf6 = wrap_with_raii_handle_if_needed(reinterpret_tensor_wrapper(buf4, 2, int_array_0, int_array_1, 0L)); buf4.reset();  // reuse
    auto buf7 = std::move(buf6);  // reuse
    auto buf8 = std::move(buf2);  // reuse
    auto buf9 = std::move(buf3);  // reuse
    auto buf10 = wrap_with_raii_handle_if_needed(reinterpret_tensor_wrapper(buf1, 1, int_array_3, int_array_4, 0L)); buf1.reset();  // reuse
    // [Provenance debug handles] cpp_fused_add_gelu_native_layer_norm_1:3
    cpp_fused_add_gelu_native_layer_norm_1((float*)(buf7.data_ptr()), (const float*)(arg8_1.data_ptr()), (const float*)(buf5.data_ptr()), (float*)(buf8.data_ptr()), (float*)(buf9.data_ptr()), (float*)(buf10.data_ptr()));
    buf7.reset();
    AtenTensorHandle buf11_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_2, int_array_0, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &buf11_handle));
    RAIIAtenTensorHandle buf11(buf11_handle);
    // Topologically Sorted Source Nodes: [linear_1], Original ATen: [aten.t, aten.addmm]
    // [Provenance debug handles] aoti_torch_cpu_addmm_out:4
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_addmm_out(buf11, buf10, buf9, wrap_with_raii_handle_if_needed(reinterpret_tensor_wrapper(layers_1_up_weight, 2, int_array_5, int_array_6, 0L)), 1L, 1L));
    buf9.reset();
    auto buf12 = std::move(buf5);  // reuse
    // [Provenance debug handles] cpp_fused_add_gelu_2:5
    cpp_fused_add_gelu_2((float*)(buf12.data_ptr()), (const float*)(arg8_1.data_ptr()), (const float*)(buf11.data_ptr()));
    arg8_1.reset();
    buf11.reset();
    // Topologically Sorted Source Nodes: [gelu, add, gelu_1, add_1, sort], Original ATen: [aten.gelu, aten.add, aten.sort]
    // [Provenance debug handles] aoti_torch_cpu_sort_stable:6
    int32_t var_0 = 0;
    AtenTensorHandle buf14_handle;
    AtenTensorHandle buf15_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_sort_stable(buf12, &var_0, 1L, 0, &buf14_handle, &buf15_handle));
    RAIIAtenTensorHandle buf14(buf14_handle);
    RAIIAtenTensorHandle buf15(buf15_handle);
    buf12.reset();
    if (_check_aoti_runtime_check_inputs_env()) { assert_size_stride(buf14, {8L, 8L}, {8L, 1L}, "torch.ops.aten.sort.default", cached_torch_dtype_float32, "torch.float32"); }
    if (_check_aoti_runtime_check_inputs_env()) { assert_alignment(buf14, 16, "torch.ops.aten.sort.default"); }

    auto buf16 = std::move(buf14);  // reuse
    // [Provenance debug handles] cpp_fused_mul_3:7
    cpp_fused_mul_3((float*)(buf16.data_ptr()));
    // Topologically Sorted Source Nodes: [mul, cumsum], Original ATen: [aten.mul, aten.cumsum]
    // [Provenance debug handles] aoti_torch_cpu_cumsum:8
    AtenTensorHandle buf17_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_cumsum(buf16, 0L, nullptr, &buf17_handle));
    RAIIAtenTensorHandle buf17(buf17_handle);
    if (_check_aoti_runtime_check_inputs_env()) { assert_size_stride(buf17, {8L, 8L}, {8L, 1L}, "torch.ops.aten.cumsum.default", cached_torch_dtype_float32, "torch.float32"); }
    if (_check_aoti_runtime_check_inputs_env()) { assert_alignment(buf17, 16, "torch.ops.aten.cumsum.default"); }
    static constexpr int64_t *int_array_7=nullptr;
    AtenTensorHandle buf18_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(0, int_array_7, int_array_7, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &buf18_handle));
    RAIIAtenTensorHandle buf18(buf18_handle);
    AtenTensorHandle buf19_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(0, int_array_7, int_array_7, cached_torch_dtype_bool, cached_torch_device_type_cpu, this->device_idx_, &buf19_handle));
    RAIIAtenTensorHandle buf19(buf19_handle);
    // [Provenance debug handles] cpp_fused_gt_sum_4:9
    cpp_fused_gt_sum_4((const float*)(buf17.data_ptr()), (float*)(buf18.data_ptr()), (bool*)(buf19.data_ptr()));
    buf18.reset();
    RAIIAtenTensorHandle buf21;
    int64_t buf19_scalar;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_item_int64(buf19, &buf19_scalar));
    if (buf19_scalar == 0) {
        // subgraph: false_graph_0
        AtenTensorHandle false_graph_0_arg0_1_handle;
        AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_assign_tensors_out(buf17, &false_graph_0_arg0_1_handle));
        RAIIAtenTensorHandle false_graph_0_arg0_1(false_graph_0_arg0_1_handle);
        static constexpr int64_t int_array_8[] = {8L, 8L};
        static constexpr int64_t int_array_9[] = {8L, 1L};
        AtenTensorHandle false_graph_0_buf0_handle;
        AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_8, int_array_9, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &false_graph_0_buf0_handle));
        RAIIAtenTensorHandle false_graph_0_buf0(false_graph_0_buf0_handle);
        // [Provenance debug handles] cpp_fused_cos_gt_mul_5:10
        cpp_fused_cos_gt_mul_5((const float*)(false_graph_0_arg0_1.data_ptr()), (float*)(false_graph_0_buf0.data_ptr()));
        false_graph_0_arg0_1.reset();
        buf21.reset();
        buf21 = std::move(false_graph_0_buf0);
    } else {
        // subgraph: true_graph_0
        AtenTensorHandle true_graph_0_arg0_1_handle;
        AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_assign_tensors_out(buf17, &true_graph_0_arg0_1_handle));
        RAIIAtenTensorHandle true_graph_0_arg0_1(true_graph_0_arg0_1_handle);
        static constexpr int64_t int_array_10[] = {8L, 8L};
        static constexpr int64_t int_array_11[] = {8L, 1L};
        AtenTensorHandle true_graph_0_buf0_handle;
        AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_10, int_array_11, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &true_graph_0_buf0_handle));
        RAIIAtenTensorHandle true_graph_0_buf0(true_graph_0_buf0_handle);
        // [Provenance debug handles] cpp_fused_add_gt_mul_sin_6:11
        cpp_fused_add_gt_mul_sin_6((const float*)(true_graph_0_arg0_1.data_ptr()), (float*)(true_graph_0_buf0.data_ptr()));
        AtenTensorHandle true_graph_0_buf1_handle;
        AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_10, int_array_11, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &true_graph_0_buf1_handle));
        RAIIAtenTensorHandle true_graph_0_buf1(true_graph_0_buf1_handle);
        // Unsorted Source Nodes: [cond, gt, matmul, sin, add, mul], Original ATen: [aten.gt, aten.mm, aten.sin, aten.add, aten.mul]
        // [Provenance debug handles] aoti_torch_cpu_mm_out:12
        AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_mm_out(true_graph_0_buf1, true_graph_0_buf0, true_graph_0_arg0_1));
        true_graph_0_arg0_1.reset();
        true_graph_0_buf0.reset();
        buf21.reset();
        buf21 = std::move(true_graph_0_buf1);
    }
    buf19.reset();
    if (_check_aoti_runtime_check_inputs_env()) { assert_size_stride(buf21, {8L, 8L}, {8L, 1L}, "torch.ops.cond", cached_torch_dtype_float32, "torch.float32"); }
    if (_check_aoti_runtime_check_inputs_env()) { assert_alignment(buf21, 16, "torch.ops.cond"); }

    auto buf22 = wrap_with_raii_handle_if_needed(reinterpret_tensor_wrapper(buf10, 2, int_array_0, int_array_1, 0L)); buf10.reset();  // reuse
    auto buf24 = std::move(buf8);  // reuse
    auto buf25 = std::move(buf16);  // reuse
    auto buf26 = std::move(buf17);  // reuse
    // [Provenance debug handles] cpp_fused__softmax_add_log_7:13
    cpp_fused__softmax_add_log_7((float*)(buf26.data_ptr()), (const float*)(buf21.data_ptr()), (float*)(buf22.data_ptr()), (float*)(buf24.data_ptr()), (float*)(buf25.data_ptr()));
    output_handles[0] = buf25.release();
    output_handles[1] = buf26.release();
} // AOTInductorModel::run_impl
} // namespace torch::aot_inductor
