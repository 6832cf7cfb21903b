
#include <torch/csrc/inductor/cpp_wrapper/cpu.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>
#include <torch/csrc/inductor/aoti_torch/utils.h>
extern "C"  void  cpp_fused_kitchen2_mul_0(const float* in_ptr0,
                       const float* in_ptr1,
                       float* out_ptr0,
                       float* out_ptr1,
                       const int64_t ks0,
                       const int64_t ks1);
CACHE_TORCH_DTYPE(float32);
CACHE_TORCH_DEVICE(cpu);

void inductor_entry_impl(
    AtenTensorHandle*
        input_handles, // array of input AtenTensorHandle; handles
                        // are stolen; the array itself is borrowed
    AtenTensorHandle*
        output_handles  // array for writing output AtenTensorHandle; handles
                        // will be stolen by the caller; the array itself is
                        // borrowed)
) {
    py::gil_scoped_release_simple release;
    auto inputs = steal_from_raw_handles_to_raii_handles(input_handles, 4);
    int64_t arg0_1;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_item_int64(inputs[0], &arg0_1));
    int64_t arg1_1;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_item_int64(inputs[1], &arg1_1));
    auto arg2_1 = std::move(inputs[2]);
    auto arg3_1 = std::move(inputs[3]);
    int64_t s10 = arg0_1;
    int64_t s21 = arg1_1;
    assert_size_stride(arg2_1, {s10, s21}, {s21, 1L}, "input");
    const int64_t int_array_0[] = {s10, s21};
    const int64_t int_array_1[] = {s21, 1L};
    AtenTensorHandle buf0_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_0, int_array_1, cached_torch_dtype_float32, cached_torch_device_type_cpu,  0, &buf0_handle));
    RAIIAtenTensorHandle buf0(buf0_handle);
    assert_size_stride(arg3_1, {s10, s21}, {s21, 1L}, "input");
    AtenTensorHandle buf1_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_0, int_array_1, cached_torch_dtype_float32, cached_torch_device_type_cpu,  0, &buf1_handle));
    RAIIAtenTensorHandle buf1(buf1_handle);
    cpp_fused_kitchen2_mul_0((const float*)(arg2_1.data_ptr()), (const float*)(arg3_1.data_ptr()), (float*)(buf0.data_ptr()), (float*)(buf1.data_ptr()), s10, s21);
    // Topologically Sorted Source Nodes: [mul, mul_1, kitchen2_default], Original ATen: [aten.mul, zoo.kitchen2]
    RAIIAtenTensorHandle buf2;
    {
        std::vector<c10::IValue> dispatch_stack_0;
        dispatch_stack_0.reserve(8);
        dispatch_stack_0.emplace_back(c10::IValue(*torch::aot_inductor::tensor_handle_to_tensor_pointer(buf0)));
        dispatch_stack_0.emplace_back(c10::IValue());
        c10::impl::GenericList tmp_list_1(c10::TensorType::get());
        tmp_list_1.reserve(3);
        tmp_list_1.emplace_back(c10::IValue(*torch::aot_inductor::tensor_handle_to_tensor_pointer(arg2_1)));
        tmp_list_1.emplace_back(c10::IValue(*torch::aot_inductor::tensor_handle_to_tensor_pointer(buf1)));
        tmp_list_1.emplace_back(c10::IValue(*torch::aot_inductor::tensor_handle_to_tensor_pointer(arg2_1)));
        dispatch_stack_0.emplace_back(c10::IValue(std::move(tmp_list_1)));
        dispatch_stack_0.emplace_back(c10::IValue(static_cast<double>(1.5)));
        dispatch_stack_0.emplace_back(c10::IValue(c10::SymInt(static_cast<int64_t>(7L))));
        dispatch_stack_0.emplace_back(c10::IValue(static_cast<bool>(1)));
        dispatch_stack_0.emplace_back(c10::IValue(std::string("hi")));
        c10::impl::GenericList tmp_list_2(c10::SymIntType::get());
        tmp_list_2.reserve(2);
        tmp_list_2.emplace_back(c10::IValue(c10::SymInt(static_cast<int64_t>(1L))));
        tmp_list_2.emplace_back(c10::IValue(c10::SymInt(static_cast<int64_t>(2L))));
        dispatch_stack_0.emplace_back(c10::IValue(std::move(tmp_list_2)));
        static auto op = c10::Dispatcher::singleton().findSchemaOrThrow("zoo::kitchen2", "");
        op.callBoxed(&dispatch_stack_0);
        buf2 = torch::aot_inductor::new_tensor_handle(std::move(dispatch_stack_0[0]).toTensor());
    }
    assert_size_stride(buf2, {s10, s21}, {s21, 1L}, "torch.ops.zoo.kitchen2.default", cached_torch_dtype_float32, "torch.float32");
    // buffer buf2 (op: torch.ops.zoo.kitchen2.default) is assumed to be not aligned
    buf0.reset();
    buf1.reset();
    // Topologically Sorted Source Nodes: [kitchen2_default_1], Original ATen: [zoo.kitchen2]
    RAIIAtenTensorHandle buf3;
    {
        std::vector<c10::IValue> dispatch_stack_0;
        dispatch_stack_0.reserve(8);
        dispatch_stack_0.emplace_back(c10::IValue(*torch::aot_inductor::tensor_handle_to_tensor_pointer(arg3_1)));
        dispatch_stack_0.emplace_back(c10::IValue(*torch::aot_inductor::tensor_handle_to_tensor_pointer(arg2_1)));
        c10::impl::GenericList tmp_list_1(c10::TensorType::get());
        tmp_list_1.reserve(1);
        tmp_list_1.emplace_back(c10::IValue(*torch::aot_inductor::tensor_handle_to_tensor_pointer(arg3_1)));
        dispatch_stack_0.emplace_back(c10::IValue(std::move(tmp_list_1)));
        dispatch_stack_0.emplace_back(c10::IValue(static_cast<double>(-std::numeric_limits<double>::infinity())));
        dispatch_stack_0.emplace_back(c10::IValue(c10::SymInt(static_cast<int64_t>(s10))));
        dispatch_stack_0.emplace_back(c10::IValue(static_cast<bool>(0)));
        dispatch_stack_0.emplace_back(c10::IValue(std::string("")));
        c10::impl::GenericList tmp_list_2(c10::SymIntType::get());
        tmp_list_2.reserve(1);
        tmp_list_2.emplace_back(c10::IValue(c10::SymInt(static_cast<int64_t>(s10))));
        dispatch_stack_0.emplace_back(c10::IValue(std::move(tmp_list_2)));
        static auto op = c10::Dispatcher::singleton().findSchemaOrThrow("zoo::kitchen2", "");
        op.callBoxed(&dispatch_stack_0);
        buf3 = torch::aot_inductor::new_tensor_handle(std::move(dispatch_stack_0[0]).toTensor());
    }
    assert_size_stride(buf3, {s10, s21}, {s21, 1L}, "torch.ops.zoo.kitchen2.default", cached_torch_dtype_float32, "torch.float32");
    // buffer buf3 (op: torch.ops.zoo.kitchen2.default) is assumed to be not aligned
    arg2_1.reset();
    arg3_1.reset();
    output_handles[0] = buf2.release();
    output_handles[1] = buf3.release();
} // inductor_entry_impl

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused_kitchen2_mul_0(const float* in_ptr0,
                       const float* in_ptr1,
                       float* out_ptr0,
                       float* out_ptr1,
                       const int64_t ks0,
                       const int64_t ks1)
{
    std::atomic<int> inductor_cpu_integer_div_error{0};
    inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
    {
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(ks0*ks1); x0+=static_cast<int64_t>(16L))
        {
            {
                if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(16L*(c10::div_floor_integer(static_cast<int64_t>(ks0*ks1), static_cast<int64_t>(16L))))))
                {
                    auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
                    auto tmp1 = static_cast<float>(2.0);
                    auto tmp2 = at::vec::Vectorized<float>(tmp1);
                    auto tmp3 = tmp0 * tmp2;
                    tmp3.store(out_ptr0 + static_cast<int64_t>(x0));
                }
                if(C10_UNLIKELY(x0 >= static_cast<int64_t>(16L*(c10::div_floor_integer(static_cast<int64_t>(ks0*ks1), static_cast<int64_t>(16L)))) && x0 < static_cast<int64_t>(ks0*ks1)))
                {
                    auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>((-16L)*(c10::div_floor_integer(static_cast<int64_t>(ks0*ks1), static_cast<int64_t>(16L))) + ks0*ks1));
                    auto tmp1 = static_cast<float>(2.0);
                    auto tmp2 = at::vec::Vectorized<float>(tmp1);
                    auto tmp3 = tmp0 * tmp2;
                    tmp3.store(out_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>((-16L)*(c10::div_floor_integer(static_cast<int64_t>(ks0*ks1), static_cast<int64_t>(16L))) + ks0*ks1));
                }
            }
        }
    }
    {
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(ks0*ks1); x0+=static_cast<int64_t>(16L))
        {
            {
                if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(16L*(c10::div_floor_integer(static_cast<int64_t>(ks0*ks1), static_cast<int64_t>(16L))))))
                {
                    auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
                    auto tmp1 = static_cast<float>(2.0);
                    auto tmp2 = at::vec::Vectorized<float>(tmp1);
                    auto tmp3 = tmp0 * tmp2;
                    tmp3.store(out_ptr1 + static_cast<int64_t>(x0));
                }
                if(C10_UNLIKELY(x0 >= static_cast<int64_t>(16L*(c10::div_floor_integer(static_cast<int64_t>(ks0*ks1), static_cast<int64_t>(16L)))) && x0 < static_cast<int64_t>(ks0*ks1)))
                {
                    auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x0), static_cast<int64_t>((-16L)*(c10::div_floor_integer(static_cast<int64_t>(ks0*ks1), static_cast<int64_t>(16L))) + ks0*ks1));
                    auto tmp1 = static_cast<float>(2.0);
                    auto tmp2 = at::vec::Vectorized<float>(tmp1);
                    auto tmp3 = tmp0 * tmp2;
                    tmp3.store(out_ptr1 + static_cast<int64_t>(x0), static_cast<int64_t>((-16L)*(c10::div_floor_integer(static_cast<int64_t>(ks0*ks1), static_cast<int64_t>(16L))) + ks0*ks1));
                }
            }
        }
    }
    inductor_cpu_integer_div_error_flag = nullptr;
    inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
}

// Python bindings to call inductor_entry_cpp():
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <sstream>
#include <cstdlib>
#include <cerrno>

// This is defined in guards.cpp so we don't need to import PyTorch headers that are slooow.
// We manually link it below to workaround issues with fbcode build.
static void* (*_torchinductor_pyobject_tensor_data_ptr)(PyObject* obj);

template <typename T> static inline T parse_arg(PyObject* const* args, size_t n) {
    static_assert(std::is_pointer_v<T>, "arg type must be pointer or long");
    return static_cast<T>(_torchinductor_pyobject_tensor_data_ptr(args[n]));
}
template <> inline int64_t parse_arg<int64_t>(PyObject* const* args, size_t n) {
    auto result = PyLong_AsSsize_t(args[n]);
    if(result == -1 && PyErr_Occurred()) [[unlikely]]
        throw std::runtime_error("expected int arg");
    return result;
}
template <> inline uintptr_t parse_arg<uintptr_t>(PyObject* const* args, size_t n) {
    auto result = PyLong_AsVoidPtr(args[n]);
    if(result == reinterpret_cast<void*>(-1) && PyErr_Occurred()) [[unlikely]]
        throw std::runtime_error("expected int arg");
    return reinterpret_cast<uintptr_t>(result);
}
template <> inline float parse_arg<float>(PyObject* const* args, size_t n) {
    auto result = PyFloat_AsDouble(args[n]);
    if(result == -1.0 && PyErr_Occurred()) [[unlikely]]
        throw std::runtime_error("expected float arg");
    return static_cast<float>(result);
}


#include <torch/csrc/inductor/aoti_torch/c/shim.h>

static inline std::vector<AtenTensorHandle> unpack_tensor_handle_list(PyObject* pyvec) {
    std::vector<AtenTensorHandle> result;
    size_t result_len = PyList_GET_SIZE(pyvec);
    result.reserve(result_len);
    for (size_t i = 0; i < result_len; i++) {
        PyObject* item = PyList_GET_ITEM(pyvec, i);
        if (item == Py_None) {
            result.push_back(nullptr);
            continue;
        }
        // AtenTensorHandle is essentially a pointer
        void* elem = PyCapsule_GetPointer(item, NULL);
        if (elem == nullptr && PyErr_Occurred()) {
            PyErr_Clear();
            throw std::runtime_error(
                "expected input handle to be a PyCapsule or None"
            );
        }
        result.push_back(reinterpret_cast<AtenTensorHandle>(elem));
    }
    return result;
}

static inline PyObject* pack_tensor_handle_list(const std::array<AtenTensorHandle, 2>& arr) {
    PyObject* result = PyList_New(2);
    for (size_t i = 0; i < 2; i++) {
        PyObject *elem =
            arr[i] == nullptr
                ? Py_NewRef(Py_None)
                // Store AtenTensorHandle as PyCapsulate
                : PyCapsule_New(reinterpret_cast<void*>(arr[i]), NULL, NULL);
        PyList_SET_ITEM(result, i, elem);
    }
    return result;
}

template <>
inline std::vector<AtenTensorHandle> parse_arg<std::vector<AtenTensorHandle>>(PyObject* const* args, size_t n) {
    return unpack_tensor_handle_list(args[n]);
}

PyObject* inductor_entry_cpp(std::vector<AtenTensorHandle>&& input_handles) {
    // For outputs, we only allocate an array to hold returned tensor handles,
    // not the actual output tensor storage.
    std::array<AtenTensorHandle, 2> output_handles{};
    try {
        inductor_entry_impl(input_handles.data(), output_handles.data());
        if (PyErr_Occurred()) {
            return nullptr;
        }
        return pack_tensor_handle_list(output_handles);
    } catch(std::exception const& e) {
        PyErr_SetString(PyExc_RuntimeError, e.what());
        return nullptr;
    } catch(...) {
        PyErr_SetString(PyExc_RuntimeError, "unhandled error");
        return nullptr;
    }
}


static PyObject* inductor_entry_cpp_py(PyObject* self, PyObject* const* args, Py_ssize_t nargs) {
    try {
        if(nargs != 1) [[unlikely]]
            throw std::runtime_error("requires 1 args");
        return inductor_entry_cpp(parse_arg<std::vector<AtenTensorHandle>>(args, 0));
    } catch(std::exception const& e) {
        PyErr_SetString(PyExc_RuntimeError, e.what());
        return nullptr;
    } catch(...) {
        PyErr_SetString(PyExc_RuntimeError, "unhandled error");
        return nullptr;
    }
}

static PyMethodDef py_methods[] = {
    {
        "inductor_entry_cpp",
        reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(inductor_entry_cpp_py)),
        METH_FASTCALL,
        ""
    },
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef py_module =
    {PyModuleDef_HEAD_INIT, "inductor_entry_cpp", NULL, -1, py_methods};

PyMODINIT_FUNC PyInit_inductor_entry_cpp(void) {
    const char* str_addr = std::getenv("_TORCHINDUCTOR_PYOBJECT_TENSOR_DATA_PTR");
    if(!str_addr) {
        PyErr_SetString(PyExc_RuntimeError, "_TORCHINDUCTOR_PYOBJECT_TENSOR_DATA_PTR must be set");
        return nullptr;
    }

    char* endptr = nullptr;
    errno = 0;
    uintptr_t addr = std::strtoull(str_addr, &endptr, 10);
    if(errno != 0 || endptr == str_addr || addr == 0) {
        PyErr_SetString(PyExc_RuntimeError, "Failed to parse _TORCHINDUCTOR_PYOBJECT_TENSOR_DATA_PTR");
        return nullptr;
    }
    _torchinductor_pyobject_tensor_data_ptr =
        reinterpret_cast<decltype(_torchinductor_pyobject_tensor_data_ptr)>(addr);
    PyObject* module = PyModule_Create(&py_module);
    if (module == NULL) {
        return NULL;
    }
    #ifdef Py_GIL_DISABLED
        PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED);
    #endif
    return module;
}
