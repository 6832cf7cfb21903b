
#include <torch/csrc/inductor/cpp_wrapper/cpu.h>
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
    const int64_t int_array_0[] = {s10, s21};
    const int64_t int_array_1[] = {s21, 1L};
    AtenTensorHandle buf0_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_0, int_array_1, cached_torch_dtype_float32, cached_torch_device_type_cpu,  0, &buf0_handle));
    RAIIAtenTensorHandle buf0(buf0_handle);
    const int64_t int_array_2[] = {s10, s21};
    const int64_t int_array_3[] = {s21, 1L};
    AtenTensorHandle buf1_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_2, int_array_3, cached_torch_dtype_float32, cached_torch_device_type_cpu,  0, &buf1_handle));
    RAIIAtenTensorHandle buf1(buf1_handle);
    cpp_fused_kitchen2_mul_0((const float*)(arg2_1.data_ptr()), (const float*)(arg3_1.data_ptr()), (float*)(buf0.data_ptr()), (float*)(buf1.data_ptr()), s10, s21);
    // Topologically Sorted Source Nodes: [mul, mul_1, kitchen2_default], Original ATen: [aten.mul, zoo.kitchen2]
    RAIIPyObject custom_op_wrapper;
    {
        py::gil_scoped_acquire_simple acquire;

        RAIIPyObject codecache_module(PyImport_ImportModule("torch._inductor.codecache"));
        if (!codecache_module) {
            throw std::runtime_error("Failed to load torch._inductor.codecache");
        }
        custom_op_wrapper = PyObject_GetAttrString(codecache_module, "custom_op_wrapper");
        if (!custom_op_wrapper) {
            throw std::runtime_error("Failed to load torch._inductor.codecache.custom_op_wrapper");
        }
    }
    RAIIAtenTensorHandle buf3;
    {
        py::gil_scoped_acquire_simple acquire;

        RAIIPyObject py_args_0(PyTuple_New(9));
        if (!py_args_0) {
            throw std::runtime_error("PyTuple_New py_args_0 failed");
        }
        PyTuple_SetItem(py_args_0, 0, PyUnicode_FromString("torch.ops.zoo.kitchen2.default"));
        PyTuple_SetItem(py_args_0, 1, PyCapsule_New(reinterpret_cast<void*>(buf0.get()), NULL, NULL));
        Py_INCREF(Py_None);
        PyTuple_SetItem(py_args_0, 2, Py_None);
        PyObject* py_args_0_3 = PyList_New(3);
        PyList_SetItem(py_args_0_3, 0, PyCapsule_New(reinterpret_cast<void*>(arg2_1.get()), NULL, NULL));
        PyList_SetItem(py_args_0_3, 1, PyCapsule_New(reinterpret_cast<void*>(buf1.get()), NULL, NULL));
        PyList_SetItem(py_args_0_3, 2, PyCapsule_New(reinterpret_cast<void*>(arg2_1.get()), NULL, NULL));
        PyTuple_SetItem(py_args_0, 3, py_args_0_3);
        PyTuple_SetItem(py_args_0, 4, PyFloat_FromDouble(1.5));
        PyTuple_SetItem(py_args_0, 5, PyLong_FromLongLong(7));
        PyTuple_SetItem(py_args_0, 6, PyBool_FromLong(1));
        PyTuple_SetItem(py_args_0, 7, PyUnicode_FromString("hi"));
        PyObject* py_args_0_8 = PyList_New(2);
        PyList_SetItem(py_args_0_8, 0, PyLong_FromLongLong(1));
        PyList_SetItem(py_args_0_8, 1, PyLong_FromLongLong(2));
        PyTuple_SetItem(py_args_0, 8, py_args_0_8);

        // Call the custom op in Python
        RAIIPyObject py_buf2(PyObject_CallObject(custom_op_wrapper, py_args_0));
        if (!py_buf2) {
            if (PyErr_Occurred()) {
                return;
            }
            throw std::runtime_error("PyObject_CallObject torch.ops.zoo.kitchen2.default failed");
        }
        buf3 = reinterpret_cast<AtenTensorHandle>(PyCapsule_GetPointer(py_buf2.get(), NULL));

    }
    buf0.reset();
    buf1.reset();

    // Topologically Sorted Source Nodes: [kitchen2_default_1], Original ATen: [zoo.kitchen2]
    RAIIAtenTensorHandle buf5;
    {
        py::gil_scoped_acquire_simple acquire;

        RAIIPyObject py_args_1(PyTuple_New(9));
        if (!py_args_1) {
            throw std::runtime_error("PyTuple_New py_args_1 failed");
        }
        PyTuple_SetItem(py_args_1, 0, PyUnicode_FromString("torch.ops.zoo.kitchen2.default"));
        PyTuple_SetItem(py_args_1, 1, PyCapsule_New(reinterpret_cast<void*>(arg3_1.get()), NULL, NULL));
        PyTuple_SetItem(py_args_1, 2, PyCapsule_New(reinterpret_cast<void*>(arg2_1.get()), NULL, NULL));
        PyObject* py_args_1_3 = PyList_New(1);
        PyList_SetItem(py_args_1_3, 0, PyCapsule_New(reinterpret_cast<void*>(arg3_1.get()), NULL, NULL));
        PyTuple_SetItem(py_args_1, 3, py_args_1_3);
        PyTuple_SetItem(py_args_1, 4, PyFloat_FromDouble(-std::numeric_limits<double>::infinity()));
        PyTuple_SetItem(py_args_1, 5, PyLong_FromLongLong(s10));
        PyTuple_SetItem(py_args_1, 6, PyBool_FromLong(0));
        PyTuple_SetItem(py_args_1, 7, PyUnicode_FromString(""));
        PyObject* py_args_1_8 = PyList_New(1);
        PyList_SetItem(py_args_1_8, 0, PyLong_FromLongLong(s10));
        PyTuple_SetItem(py_args_1, 8, py_args_1_8);

        // Call the custom op in Python
        RAIIPyObject py_buf4(PyObject_CallObject(custom_op_wrapper, py_args_1));
        if (!py_buf4) {
            if (PyErr_Occurred()) {
                return;
            }
            throw std::runtime_error("PyObject_CallObject torch.ops.zoo.kitchen2.default failed");
        }
        buf5 = reinterpret_cast<AtenTensorHandle>(PyCapsule_GetPointer(py_buf4.get(), NULL));

    }
    arg2_1.reset();
    arg3_1.reset();
    output_handles[0] = buf3.release();
    output_handles[1] = buf5.release();
} // inductor_entry_impl

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused_kitchen2_mul_0(const float* in_ptr0,
                       const float* in_ptr1,
                       float* out_ptr0,
                       float* out_ptr1,
                       const int64_t ks0,
                       const int64_t ks1)
{
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
}

// Python bindings to call inductor_entry_cpp():
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <sstream>
#include <cstdlib>
#include <cerrno>

#ifndef _MSC_VER
#if __cplusplus < 202002L
// C++20 (earlier) code
// https://en.cppreference.com/w/cpp/language/attributes/likely
#define likely(x)       __builtin_expect(!!(x), 1)
#define unlikely(x)     __builtin_expect(!!(x), 0)
#endif
#else
#define likely(x) (x)
#define unlikely(x) (x)
#endif

// This is defined in guards.cpp so we don't need to import PyTorch headers that are slooow.
// We manually link it below to workaround issues with fbcode build.
static void* (*_torchinductor_pyobject_tensor_data_ptr)(PyObject* obj);

template <typename T> static inline T parse_arg(PyObject* args, size_t n) {
    static_assert(std::is_pointer_v<T>, "arg type must be pointer or long");
    return static_cast<T>(_torchinductor_pyobject_tensor_data_ptr(PyTuple_GET_ITEM(args, n)));
}
template <> inline int64_t parse_arg<int64_t>(PyObject* args, size_t n) {
    auto result = PyLong_AsSsize_t(PyTuple_GET_ITEM(args, n));
    if(unlikely(result == -1 && PyErr_Occurred()))
        throw std::runtime_error("expected int arg");
    return result;
}
template <> inline uintptr_t parse_arg<uintptr_t>(PyObject* args, size_t n) {
    auto result = PyLong_AsVoidPtr(PyTuple_GET_ITEM(args, n));
    if(unlikely(result == reinterpret_cast<void*>(-1) && PyErr_Occurred()))
        throw std::runtime_error("expected int arg");
    return reinterpret_cast<uintptr_t>(result);
}
template <> inline float parse_arg<float>(PyObject* args, size_t n) {
    auto result = PyFloat_AsDouble(PyTuple_GET_ITEM(args, n));
    if(unlikely(result == -1.0 && PyErr_Occurred()))
        throw std::runtime_error("expected float arg");
    return static_cast<float>(result);
}


#include <torch/csrc/inductor/aoti_torch/c/shim.h>

static inline std::vector<AtenTensorHandle> unpack_tensor_handle_list(PyObject* pyvec) {
    std::vector<AtenTensorHandle> result;
    size_t result_len = PyList_GET_SIZE(pyvec);
    result.reserve(result_len);
    for (size_t i = 0; i < result_len; i++) {
        // AtenTensorHandle is essentially a pointer
        void* elem = PyCapsule_GetPointer(PyList_GET_ITEM(pyvec, i), NULL);
        result.push_back(reinterpret_cast<AtenTensorHandle>(elem));
    }
    return result;
}

static inline PyObject* pack_tensor_handle_list(const std::array<AtenTensorHandle, 2>& arr) {
    PyObject* result = PyList_New(2);
    for (size_t i = 0; i < 2; i++) {
        PyObject *elem =
            arr[i] == nullptr
                ? Py_None
                // Store AtenTensorHandle as PyCapsulate
                : PyCapsule_New(reinterpret_cast<void*>(arr[i]), NULL, NULL);
        PyList_SET_ITEM(result, i, elem);
    }
    return result;
}

template <> inline std::vector<AtenTensorHandle> parse_arg<std::vector<AtenTensorHandle>>(PyObject* args, size_t n) {
    return unpack_tensor_handle_list(PyTuple_GET_ITEM(args, n));
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


static PyObject* inductor_entry_cpp_py(PyObject* self, PyObject* args) {
    try {
        if(unlikely(!PyTuple_CheckExact(args)))
            throw std::runtime_error("tuple args required");
        if(unlikely(PyTuple_GET_SIZE(args) != 1))
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
    {"inductor_entry_cpp", inductor_entry_cpp_py, METH_VARARGS, ""},
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
