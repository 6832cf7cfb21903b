#pragma once
#include <pybind11/detail/class.h>
#include <pybind11/detail/exception_translation.h>
#include <pybind11/detail/init.h>
#include <pybind11/attr.h>
#include <pybind11/gil.h>
#include <pybind11/gil_safe_call_once.h>
#include <pybind11/options.h>
#include <pybind11/typing.h>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>
namespace pybind11 __attribute__((visibility("hidden"))) {
class cpp_function : public function {
public:
cpp_function() = default;
cpp_function(std::nullptr_t);
cpp_function(std::nullptr_t, const is_setter &);
template <typename Return, typename... Args, typename... Extra>
cpp_function(Return (*f)(Args...), const Extra &...extra);
template <typename Func,
typename... Extra,
typename = detail::enable_if_t<detail::is_lambda<Func>::value>>
cpp_function(Func &&f, const Extra &...extra);
template <typename Return, typename Class, typename... Arg, typename... Extra>
cpp_function(Return (Class::*f)(Arg...), const Extra &...extra);
template <typename Return, typename Class, typename... Arg, typename... Extra>
cpp_function(Return (Class::*f)(Arg...) &, const Extra &...extra);
template <typename Return, typename Class, typename... Arg, typename... Extra>
cpp_function(Return (Class::*f)(Arg...) const, const Extra &...extra);
template <typename Return, typename Class, typename... Arg, typename... Extra>
cpp_function(Return (Class::*f)(Arg...) const &, const Extra &...extra);
object name() const;
protected:
};
namespace detail {
template <>
struct handle_type_name<cpp_function> {
static constexpr auto name = const_name("Callable");
};
}
class mod_gil_not_used {
public:
explicit mod_gil_not_used(bool flag = true);
bool flag() const;
private:
bool flag_;
};
class module_ : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "module_" ">() or reinterpret_steal<" "module_" ">()")]] module_(handle h, bool is_borrowed);
module_(handle h, borrowed_t);
module_(handle h, stolen_t);
template <typename Policy_> module_(const ::pybind11::detail::accessor<Policy_> &a);
module_(const object &o);
module_(object &&o);
module_() = default;
[[deprecated("Use PYBIND11_MODULE or module_::create_extension_module instead")]]
explicit module_(const char *name, const char *doc = nullptr);
template <typename Func, typename... Extra>
module_ &def(const char *name_, Func &&f, const Extra &...extra);
using module_def = PyModuleDef;
static module_ create_extension_module(const char *name,
const char *doc,
module_def *def,
mod_gil_not_used gil_not_used
= mod_gil_not_used(false));
};
namespace detail {
template <>
struct handle_type_name<module_> {
static constexpr auto name = const_name("module");
};
}
using module = module_;
namespace detail {
class generic_type : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "generic_type" ">() or reinterpret_steal<" "generic_type" ">()")]] generic_type(handle h, bool is_borrowed);
generic_type(handle h, borrowed_t);
generic_type(handle h, stolen_t);
template <typename Policy_> generic_type(const ::pybind11::detail::accessor<Policy_> &a);
generic_type(const object &o);
generic_type(object &&o);
generic_type() = default;
protected:
};
}
template <typename type_, typename... options>
class class_ : public detail::generic_type {
template <typename T>
using is_holder = detail::is_holder_type<type_, T>;
public:
using type = type_;
using holder_type = detail::exactly_one_t<is_holder, std::unique_ptr<type>, options...>;
public:
[[deprecated("Use reinterpret_borrow<" "class_" ">() or reinterpret_steal<" "class_" ">()")]] class_(handle h, bool is_borrowed);
class_(handle h, borrowed_t);
class_(handle h, stolen_t);
template <typename Policy_> class_(const ::pybind11::detail::accessor<Policy_> &a);
class_(const object &o);
class_(object &&o);
template <typename... Extra>
class_(handle scope, const char *name, const Extra &...extra);
template <typename Func, typename... Extra>
class_ &def(const char *name_, Func &&f, const Extra &...extra);
template <typename T, typename... Extra, detail::enable_if_t<T::op_enable_if_hook, int> = 0>
class_ &def(const T &op, const Extra &...extra);
template <typename... Args, typename... Extra>
class_ &def(const detail::initimpl::constructor<Args...> &init, const Extra &...extra);
template <typename... Args, typename... Extra>
class_ &def(const detail::initimpl::alias_constructor<Args...> &init, const Extra &...extra);
template <typename... Args, typename... Extra>
class_ &def(detail::initimpl::factory<Args...> &&init, const Extra &...extra);
template <typename... Args, typename... Extra>
class_ &def(detail::initimpl::pickle_factory<Args...> &&pf, const Extra &...extra);
private:
static void init_instance(detail::instance *inst, const void *holder_ptr);
static void dealloc(detail::value_and_holder &v_h);
};
template <typename type>
class exception : public object {
public:
exception() = default;
exception(handle scope, const char *name, handle base = PyExc_Exception);
[[deprecated("Please use py::set_error() instead " "(https://github.com/pybind/pybind11/pull/4772)")]]
void operator()(const char *message) const;
};
namespace detail {
template <>
struct handle_type_name<exception<void>> {
static constexpr auto name = const_name("Exception");
};
}
}
