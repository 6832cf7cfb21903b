#pragma once
#include <pybind11/detail/common.h>
#include <pybind11/pytypes.h>
#include <exception>
#include <mutex>
#include <thread>
namespace pybind11 __attribute__((visibility("hidden"))) {
namespace detail {
struct type_info {
PyTypeObject *type;
const std::type_info *cpptype;
size_t type_size, type_align, holder_size_in_ptrs;
void *(*operator_new)(size_t);
void (*init_instance)(instance *, const void *);
void (*dealloc)(value_and_holder &v_h);
std::vector<PyObject *(*) (PyObject *, PyTypeObject *)> implicit_conversions;
std::vector<std::pair<const std::type_info *, void *(*) (void *)>> implicit_casts;
std::vector<bool (*)(PyObject *, void *&)> *direct_conversions;
buffer_info *(*get_buffer)(PyObject *, void *) = nullptr;
void *get_buffer_data = nullptr;
void *(*module_local_load)(PyObject *, const type_info *) = nullptr;
bool simple_type : 1;
bool simple_ancestors : 1;
bool default_holder : 1;
bool module_local : 1;
};
template <typename... Args>
const char *c_str(Args &&...args);
}
}
