
#include <torch/csrc/inductor/aoti_include/cpu.h>
// Definition of AOTI runtime interface functions

#include <torch/csrc/inductor/aoti_runtime/interface.h>
#include <torch/csrc/inductor/aoti_runtime/model_container.h>
extern "C"  void  cpp_fused_native_layer_norm_0(const float* in_ptr0,
                       float* out_ptr0,
                       float* out_ptr1,
                       float* out_ptr2,
                       float* out_ptr3);
extern "C"  void  cpp_fused_add_gelu_native_layer_norm_1(const float* in_ptr0,
                       const float* in_ptr1,
                       float* out_ptr0,
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
extern "C"  void  cpp_fused_add_gt_mul_sin_5(const float* in_ptr0,
                       float* out_ptr0);
extern "C"  void  cpp_fused_cos_gt_mul_6(const float* in_ptr0,
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
    constants_info_[0].dtype = static_cast<int32_t>(cached_torch_dtype_float32);
    constants_info_[0].offset = 0;
    constants_info_[0].data_size = 256;
    constants_info_[0].from_folded = false;
    constants_info_[0].type = static_cast<int32_t>(torch::aot_inductor::ConstantType::Parameter);
    constants_info_[0].shape = {8, 8};
    constants_info_[0].stride = {8, 1};
    constants_info_[0].layout = static_cast<int32_t>(cached_torch_layout_strided);
    constants_info_[0].original_fqn = "layers.0.up.weight";
    constants_info_[1].name = "layers_1_up_weight";
    constants_info_[1].dtype = static_cast<int32_t>(cached_torch_dtype_float32);
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
        throw std::runtime_error(ss.str());
    }
    auto arg8_1_size = arg8_1.sizes();

    if (8 != arg8_1_size[0]) {
        std::stringstream ss;
        ss << "input_handles[0]: unmatched dim value at 0, "
           << "expected: 8, " << "but got: " << arg8_1_size[0]
           << "\n";
        throw std::runtime_error(ss.str());
    }

    if (8 != arg8_1_size[1]) {
        std::stringstream ss;
        ss << "input_handles[0]: unmatched dim value at 1, "
           << "expected: 8, " << "but got: " << arg8_1_size[1]
           << "\n";
        throw std::runtime_error(ss.str());
    }
    auto arg8_1_stride = arg8_1.strides();

    if (8 != arg8_1_stride[0]) {
        std::stringstream ss;
        ss << "input_handles[0]: unmatched stride value at 0, "
           << "expected: 8, " << "but got: " << arg8_1_stride[0]
           << "\n";
        throw std::runtime_error(ss.str());
    }

    if (1 != arg8_1_stride[1]) {
        std::stringstream ss;
        ss << "input_handles[0]: unmatched stride value at 1, "
           << "expected: 1, " << "but got: " << arg8_1_stride[1]
           << "\n";
        throw std::runtime_error(ss.str());
    }
    int32_t arg8_1_device_type;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_get_device_type(arg8_1, &arg8_1_device_type));

    int32_t arg8_1_expected_device_type = 0;
    if (arg8_1_expected_device_type != arg8_1_device_type) {
        std::stringstream ss;
        ss << "input_handles[0]: unmatched device type, "
        << "expected: " << arg8_1_expected_device_type << "0(cpu), "
        << "but got: " << arg8_1_device_type << "\n";
        throw std::runtime_error(ss.str());
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
    static constexpr int64_t int_array_0[] = {8L, 1L};
    static constexpr int64_t int_array_1[] = {1L, 8L};
    AtenTensorHandle buf0_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_0, int_array_1, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &buf0_handle));
    RAIIAtenTensorHandle buf0(buf0_handle);
    AtenTensorHandle buf1_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_0, int_array_1, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &buf1_handle));
    RAIIAtenTensorHandle buf1(buf1_handle);
    static constexpr int64_t int_array_2[] = {8L, 8L};
    AtenTensorHandle buf4_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_2, int_array_0, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &buf4_handle));
    RAIIAtenTensorHandle buf4(buf4_handle);
    static constexpr int64_t int_array_3[] = {8L, };
    static constexpr int64_t int_array_4[] = {1L, };
    AtenTensorHandle buf5_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(1, int_array_3, int_array_4, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &buf5_handle));
    RAIIAtenTensorHandle buf5(buf5_handle);
    // [Provenance debug handles] cpp_fused_native_layer_norm_0:1
    cpp_fused_native_layer_norm_0((const float*)(arg8_1.data_ptr()), (float*)(buf0.data_ptr()), (float*)(buf1.data_ptr()), (float*)(buf4.data_ptr()), (float*)(buf5.data_ptr()));
    AtenTensorHandle buf6_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_2, int_array_0, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &buf6_handle));
    RAIIAtenTensorHandle buf6(buf6_handle);
    // Topologically Sorted Source Nodes: [layer_norm, linear], Original ATen: [aten.native_layer_norm, aten.t, aten.addmm]
    // [Provenance debug handles] aoti_torch_cpu_addmm_out:9
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_addmm_out(buf6, buf5, buf4, wrap_with_raii_handle_if_needed(reinterpret_tensor_wrapper(layers_0_up_weight, 2, int_array_2, int_array_1, 0L)), 1L, 1L));
    auto buf7 = wrap_with_raii_handle_if_needed(reinterpret_tensor_wrapper(buf5, 2, int_array_0, int_array_1, 0L)); buf5.reset();  // reuse
    auto buf8 = std::move(buf1);  // reuse
    auto buf11 = std::move(buf4);  // reuse
    auto buf12 = wrap_with_raii_handle_if_needed(reinterpret_tensor_wrapper(buf0, 1, int_array_3, int_array_4, 0L)); buf0.reset();  // reuse
    // [Provenance debug handles] cpp_fused_add_gelu_native_layer_norm_1:2
    cpp_fused_add_gelu_native_layer_norm_1((const float*)(arg8_1.data_ptr()), (const float*)(buf6.data_ptr()), (float*)(buf7.data_ptr()), (float*)(buf8.data_ptr()), (float*)(buf11.data_ptr()), (float*)(buf12.data_ptr()));
    buf7.reset();
    AtenTensorHandle buf13_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_2, int_array_0, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &buf13_handle));
    RAIIAtenTensorHandle buf13(buf13_handle);
    // Topologically Sorted Source Nodes: [layer_norm_1, linear_1], Original ATen: [aten.native_layer_norm, aten.t, aten.addmm]
    // [Provenance debug handles] aoti_torch_cpu_addmm_out:10
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_addmm_out(buf13, buf12, buf11, wrap_with_raii_handle_if_needed(reinterpret_tensor_wrapper(layers_1_up_weight, 2, int_array_2, int_array_1, 0L)), 1L, 1L));
    buf11.reset();
    auto buf14 = std::move(buf6);  // reuse
    // [Provenance debug handles] cpp_fused_add_gelu_2:3
    cpp_fused_add_gelu_2((float*)(buf14.data_ptr()), (const float*)(arg8_1.data_ptr()), (const float*)(buf13.data_ptr()));
    arg8_1.reset();
    buf13.reset();
    // Topologically Sorted Source Nodes: [gelu, add, gelu_1, add_1, sort], Original ATen: [aten.gelu, aten.add, aten.sort]
    int32_t var_0 = 0;
    AtenTensorHandle buf16_handle;
    AtenTensorHandle buf17_handle;
    // [Provenance debug handles] aoti_torch_cpu_sort_stable:11
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_sort_stable(buf14, &var_0, 1L, 0, &buf16_handle, &buf17_handle));
    RAIIAtenTensorHandle buf16(buf16_handle);
    RAIIAtenTensorHandle buf17(buf17_handle);
    buf14.reset();

    auto buf18 = std::move(buf16);  // reuse
    // [Provenance debug handles] cpp_fused_mul_3:4
    cpp_fused_mul_3((float*)(buf18.data_ptr()));
    // Topologically Sorted Source Nodes: [mul, cumsum], Original ATen: [aten.mul, aten.cumsum]
    AtenTensorHandle buf20_handle;
    // [Provenance debug handles] aoti_torch_cpu_cumsum:12
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_cumsum(buf18, 0L, nullptr, &buf20_handle));
    RAIIAtenTensorHandle buf20(buf20_handle);

    static constexpr int64_t *int_array_5=nullptr;
    AtenTensorHandle buf21_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(0, int_array_5, int_array_5, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &buf21_handle));
    RAIIAtenTensorHandle buf21(buf21_handle);
    AtenTensorHandle buf22_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(0, int_array_5, int_array_5, cached_torch_dtype_bool, cached_torch_device_type_cpu, this->device_idx_, &buf22_handle));
    RAIIAtenTensorHandle buf22(buf22_handle);
    // [Provenance debug handles] cpp_fused_gt_sum_4:5
    cpp_fused_gt_sum_4((const float*)(buf20.data_ptr()), (float*)(buf21.data_ptr()), (bool*)(buf22.data_ptr()));
    buf21.reset();
    RAIIAtenTensorHandle buf24;
    bool buf22_scalar;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_item_bool(buf22, &buf22_scalar));
    if (buf22_scalar) {
        // subgraph: true_graph_0
        AtenTensorHandle true_graph_0_arg0_1_handle;
        AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_assign_tensors_out(buf20, &true_graph_0_arg0_1_handle));
        RAIIAtenTensorHandle true_graph_0_arg0_1(true_graph_0_arg0_1_handle);
        static constexpr int64_t int_array_6[] = {8L, 8L};
        static constexpr int64_t int_array_7[] = {8L, 1L};
        AtenTensorHandle true_graph_0_buf0_handle;
        AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_6, int_array_7, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &true_graph_0_buf0_handle));
        RAIIAtenTensorHandle true_graph_0_buf0(true_graph_0_buf0_handle);
        // [Provenance debug handles] cpp_fused_add_gt_mul_sin_5:6
        cpp_fused_add_gt_mul_sin_5((const float*)(true_graph_0_arg0_1.data_ptr()), (float*)(true_graph_0_buf0.data_ptr()));
        AtenTensorHandle true_graph_0_buf1_handle;
        AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_6, int_array_7, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &true_graph_0_buf1_handle));
        RAIIAtenTensorHandle true_graph_0_buf1(true_graph_0_buf1_handle);
        // Unsorted Source Nodes: [cond, gt, matmul, sin, add, mul], Original ATen: [aten.gt, aten.mm, aten.sin, aten.add, aten.mul]
        // [Provenance debug handles] aoti_torch_cpu_mm_out:13
        AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_mm_out(true_graph_0_buf1, true_graph_0_buf0, true_graph_0_arg0_1));
        true_graph_0_arg0_1.reset();
        true_graph_0_buf0.reset();
        buf24.reset();
        buf24 = std::move(true_graph_0_buf1);
    } else {
        // subgraph: false_graph_0
        AtenTensorHandle false_graph_0_arg0_1_handle;
        AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_assign_tensors_out(buf20, &false_graph_0_arg0_1_handle));
        RAIIAtenTensorHandle false_graph_0_arg0_1(false_graph_0_arg0_1_handle);
        static constexpr int64_t int_array_8[] = {8L, 8L};
        static constexpr int64_t int_array_9[] = {8L, 1L};
        AtenTensorHandle false_graph_0_buf0_handle;
        AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_8, int_array_9, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &false_graph_0_buf0_handle));
        RAIIAtenTensorHandle false_graph_0_buf0(false_graph_0_buf0_handle);
        // [Provenance debug handles] cpp_fused_cos_gt_mul_6:7
        cpp_fused_cos_gt_mul_6((const float*)(false_graph_0_arg0_1.data_ptr()), (float*)(false_graph_0_buf0.data_ptr()));
        false_graph_0_arg0_1.reset();
        buf24.reset();
        buf24 = std::move(false_graph_0_buf0);
    }
    buf22.reset();

    auto buf25 = wrap_with_raii_handle_if_needed(reinterpret_tensor_wrapper(buf12, 2, int_array_0, int_array_1, 0L)); buf12.reset();  // reuse
    auto buf27 = std::move(buf8);  // reuse
    auto buf28 = std::move(buf18);  // reuse
    auto buf29 = std::move(buf20);  // reuse
    // [Provenance debug handles] cpp_fused__softmax_add_log_7:8
    cpp_fused__softmax_add_log_7((float*)(buf29.data_ptr()), (const float*)(buf24.data_ptr()), (float*)(buf25.data_ptr()), (float*)(buf27.data_ptr()), (float*)(buf28.data_ptr()));
    output_handles[0] = buf28.release();
    output_handles[1] = buf29.release();
} // AOTInductorModel::run_impl
} // namespace torch::aot_inductor
