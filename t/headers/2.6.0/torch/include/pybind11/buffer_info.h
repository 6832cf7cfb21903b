#pragma once
#include <pybind11/detail/common.h>
namespace pybind11 __attribute__((visibility("hidden"))) {
struct buffer_info {
void *ptr = nullptr;
ssize_t itemsize = 0;
ssize_t size = 0;
std::string format;
ssize_t ndim = 0;
std::vector<ssize_t> shape;
std::vector<ssize_t> strides;
bool readonly = false;
buffer_info() = default;
buffer_info(void *ptr,
ssize_t itemsize,
const std::string &format,
ssize_t ndim,
detail::any_container<ssize_t> shape_in,
detail::any_container<ssize_t> strides_in,
bool readonly = false);
template <typename T>
buffer_info(T *ptr,
detail::any_container<ssize_t> shape_in,
detail::any_container<ssize_t> strides_in,
bool readonly = false);
buffer_info(void *ptr,
ssize_t itemsize,
const std::string &format,
ssize_t size,
bool readonly = false);
template <typename T>
buffer_info(T *ptr, ssize_t size, bool readonly = false);
template <typename T>
buffer_info(const T *ptr, ssize_t size, bool readonly = true);
explicit buffer_info(Py_buffer *view, bool ownview = true);
buffer_info(const buffer_info &) = delete;
buffer_info &operator=(const buffer_info &) = delete;
buffer_info(buffer_info &&other) noexcept;
buffer_info &operator=(buffer_info &&rhs) noexcept;
~buffer_info();
Py_buffer *view() const;
Py_buffer *&view();
private:
struct private_ctr_tag {
};
buffer_info(private_ctr_tag,
void *ptr,
ssize_t itemsize,
const std::string &format,
ssize_t ndim,
detail::any_container<ssize_t> &&shape_in,
detail::any_container<ssize_t> &&strides_in,
bool readonly);
Py_buffer *m_view = nullptr;
bool ownview = false;
};
}
