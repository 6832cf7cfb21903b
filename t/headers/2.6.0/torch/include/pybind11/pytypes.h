#pragma once
#include <pybind11/detail/common.h>
#include <pybind11/buffer_info.h>
#include <cstddef>
#include <exception>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <optional>
#include <string_view>
namespace pybind11 __attribute__((visibility("hidden"))) {
class handle;
class object;
class str;
class iterator;
class type;
struct arg;
struct arg_v;
namespace detail {
class args_proxy;
template <typename Policy>
class accessor;
namespace accessor_policies {
struct obj_attr;
struct str_attr;
struct generic_item;
struct sequence_item;
struct list_item;
struct tuple_item;
}
using obj_attr_accessor = accessor<accessor_policies::obj_attr>;
using str_attr_accessor = accessor<accessor_policies::str_attr>;
using item_accessor = accessor<accessor_policies::generic_item>;
using sequence_accessor = accessor<accessor_policies::sequence_item>;
using list_accessor = accessor<accessor_policies::list_item>;
using tuple_accessor = accessor<accessor_policies::tuple_item>;
class pyobject_tag {
};
template <typename T>
using is_pyobject = std::is_base_of<pyobject_tag, remove_reference_t<T>>;
template <typename Derived>
class object_api : public pyobject_tag {
public:
iterator begin() const;
iterator end() const;
item_accessor operator[](handle key) const;
item_accessor operator[](object &&key) const;
item_accessor operator[](const char *key) const;
obj_attr_accessor attr(handle key) const;
obj_attr_accessor attr(object &&key) const;
str_attr_accessor attr(const char *key) const;
args_proxy operator*() const;
template <typename T>
bool contains(T &&item) const;
template <return_value_policy policy = return_value_policy::automatic_reference,
typename... Args>
object operator()(Args &&...args) const;
template <return_value_policy policy = return_value_policy::automatic_reference,
typename... Args>
[[deprecated("call(...) was deprecated in favor of operator()(...)")]]
object call(Args &&...args) const;
bool is(object_api const &other) const;
bool operator<(object_api const &other) const;
bool operator<=(object_api const &other) const;
bool operator>(object_api const &other) const;
bool operator>=(object_api const &other) const;
object operator-() const;
object operator~() const;
object operator+(object_api const &other) const;
object operator+=(object_api const &other);
object operator-(object_api const &other) const;
object operator-=(object_api const &other);
object operator*(object_api const &other) const;
object operator*=(object_api const &other);
object operator/(object_api const &other) const;
object operator/=(object_api const &other);
object operator|(object_api const &other) const;
object operator|=(object_api const &other);
object operator&(object_api const &other) const;
object operator&=(object_api const &other);
object operator^(object_api const &other) const;
object operator^=(object_api const &other);
object operator<<(object_api const &other) const;
object operator<<=(object_api const &other);
object operator>>(object_api const &other) const;
object operator>>=(object_api const &other);
[[deprecated("Use py::str(obj) instead")]]
pybind11::str str() const;
str_attr_accessor doc() const;
private:
};
template <typename T>
using is_pyobj_ptr_or_nullptr_t = detail::any_of<std::is_same<T, PyObject *>,
std::is_same<T, PyObject *const>,
std::is_same<T, std::nullptr_t>>;
}
class handle : public detail::object_api<handle> {
public:
handle() = default;
template <typename T,
detail::enable_if_t<detail::is_pyobj_ptr_or_nullptr_t<T>::value, int> = 0>
handle(T ptr);
template <
typename T,
detail::enable_if_t<detail::all_of<detail::none_of<std::is_base_of<handle, T>,
detail::is_pyobj_ptr_or_nullptr_t<T>>,
std::is_convertible<T, PyObject *>>::value,
int>
= 0>
handle(T &obj);
PyObject *ptr() const;
PyObject *&ptr();
template <typename T>
T cast() const;
explicit operator bool() const;
[[deprecated("Use obj1.is(obj2) instead")]]
bool operator==(const handle &h) const;
[[deprecated("Use !obj1.is(obj2) instead")]]
bool operator!=(const handle &h) const;
protected:
PyObject *m_ptr = nullptr;
private:
};
class object : public handle {
public:
object() = default;
[[deprecated("Use reinterpret_borrow<object>() or reinterpret_steal<object>()")]]
object(handle h, bool is_borrowed);
object(const object &o);
object(object &&other) noexcept;
~object();
handle release();
object &operator=(const object &other);
object &operator=(object &&other) noexcept;
object operator+=(object_api const &other);
object operator-=(object_api const &other);
object operator*=(object_api const &other);
object operator/=(object_api const &other);
object operator|=(object_api const &other);
object operator&=(object_api const &other);
object operator^=(object_api const &other);
object operator<<=(object_api const &other);
object operator>>=(object_api const &other);
template <typename T>
T cast() const &;
template <typename T>
T cast() &&;
protected:
struct borrowed_t {
};
struct stolen_t {
};
public:
object(handle h, borrowed_t);
object(handle h, stolen_t);
};
namespace detail {
template <typename Policy>
class accessor : public object_api<accessor<Policy>> {
using key_type = typename Policy::key_type;
public:
accessor(handle obj, key_type key);
accessor(const accessor &) = default;
accessor(accessor &&) noexcept = default;
void operator=(const accessor &a) &&;
void operator=(const accessor &a) &;
template <typename T>
void operator=(T &&value) &&;
template <typename T>
void operator=(T &&value) &;
template <typename T = Policy>
[[deprecated("Use of obj.attr(...) as bool is deprecated in favor of pybind11::hasattr(obj, ...)")]]
explicit
operator enable_if_t<std::is_same<T, accessor_policies::str_attr>::value
|| std::is_same<T, accessor_policies::obj_attr>::value,
bool>() const;
template <typename T = Policy>
[[deprecated("Use of obj[key] as bool is deprecated in favor of obj.contains(key)")]]
explicit
operator enable_if_t<std::is_same<T, accessor_policies::generic_item>::value, bool>() const;
operator object() const;
PyObject *ptr() const;
template <typename T>
T cast() const;
private:
private:
handle obj;
key_type key;
mutable object cache;
};
namespace accessor_policies {
struct obj_attr {
using key_type = object;
static object get(handle obj, handle key);
static void set(handle obj, handle key, handle val);
};
struct str_attr {
using key_type = const char *;
static object get(handle obj, const char *key);
static void set(handle obj, const char *key, handle val);
};
struct generic_item {
using key_type = object;
static object get(handle obj, handle key);
static void set(handle obj, handle key, handle val);
};
struct sequence_item {
using key_type = size_t;
template <typename IdxType, detail::enable_if_t<std::is_integral<IdxType>::value, int> = 0>
static object get(handle obj, const IdxType &index);
template <typename IdxType, detail::enable_if_t<std::is_integral<IdxType>::value, int> = 0>
static void set(handle obj, const IdxType &index, handle val);
};
struct list_item {
using key_type = size_t;
template <typename IdxType, detail::enable_if_t<std::is_integral<IdxType>::value, int> = 0>
static object get(handle obj, const IdxType &index);
template <typename IdxType, detail::enable_if_t<std::is_integral<IdxType>::value, int> = 0>
static void set(handle obj, const IdxType &index, handle val);
};
struct tuple_item {
using key_type = size_t;
template <typename IdxType, detail::enable_if_t<std::is_integral<IdxType>::value, int> = 0>
static object get(handle obj, const IdxType &index);
template <typename IdxType, detail::enable_if_t<std::is_integral<IdxType>::value, int> = 0>
static void set(handle obj, const IdxType &index, handle val);
};
}
template <typename Policy>
class generic_iterator : public Policy {
using It = generic_iterator;
public:
using difference_type = ssize_t;
using value_type = typename Policy::value_type;
using reference = typename Policy::reference;
using pointer = typename Policy::pointer;
generic_iterator() = default;
generic_iterator(handle seq, ssize_t index);
reference operator*() const;
reference operator[](difference_type n) const;
pointer operator->() const;
It &operator++();
It operator++(int);
It &operator--();
It operator--(int);
It &operator+=(difference_type n);
It &operator-=(difference_type n);
};
namespace iterator_policies {
template <typename T>
struct arrow_proxy {
T value;
arrow_proxy(T &&value) noexcept;
T *operator->() const;
};
class sequence_fast_readonly {
protected:
using value_type = handle;
using reference = const handle;
using pointer = arrow_proxy<const handle>;
sequence_fast_readonly(handle obj, ssize_t n);
sequence_fast_readonly() = default;
private:
PyObject **ptr;
};
class sequence_slow_readwrite {
protected:
using value_type = object;
using reference = sequence_accessor;
using pointer = arrow_proxy<const sequence_accessor>;
sequence_slow_readwrite(handle obj, ssize_t index);
sequence_slow_readwrite() = default;
private:
handle obj;
ssize_t index;
};
class dict_readonly {
protected:
using value_type = std::pair<handle, handle>;
using reference = const value_type;
using pointer = arrow_proxy<const value_type>;
dict_readonly() = default;
dict_readonly(handle obj, ssize_t pos);
private:
handle obj;
PyObject *key = nullptr, *value = nullptr;
ssize_t pos = -1;
};
}
using tuple_iterator = generic_iterator<iterator_policies::sequence_fast_readonly>;
using list_iterator = generic_iterator<iterator_policies::sequence_fast_readonly>;
using sequence_iterator = generic_iterator<iterator_policies::sequence_slow_readwrite>;
using dict_iterator = generic_iterator<iterator_policies::dict_readonly>;
class kwargs_proxy : public handle {
public:
explicit kwargs_proxy(handle h);
};
class args_proxy : public handle {
public:
explicit args_proxy(handle h);
kwargs_proxy operator*() const;
};
template <typename T>
using is_keyword = std::is_base_of<arg, T>;
template <typename T>
using is_ds_unpacking = std::is_same<kwargs_proxy, T>;
template <typename T>
using is_keyword_or_ds = satisfies_any_of<T, is_keyword, is_ds_unpacking>;
template <return_value_policy policy = return_value_policy::automatic_reference>
class unpacking_collector;
}
class iterator : public object {
public:
using difference_type = ssize_t;
using value_type = handle;
using reference = const handle;
using pointer = const handle *;
public:
[[deprecated("Use reinterpret_borrow<" "iterator" ">() or reinterpret_steal<" "iterator" ">()")]] iterator(handle h, bool is_borrowed);
iterator(handle h, borrowed_t);
iterator(handle h, stolen_t);
template <typename Policy_> iterator(const ::pybind11::detail::accessor<Policy_> &a);
iterator(const object &o);
iterator(object &&o);
iterator() = default;
iterator &operator++();
iterator operator++(int);
reference operator*() const;
pointer operator->() const;
private:
private:
object value = {};
};
class type : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "type" ">() or reinterpret_steal<" "type" ">()")]] type(handle h, bool is_borrowed);
type(handle h, borrowed_t);
type(handle h, stolen_t);
template <typename Policy_> type(const ::pybind11::detail::accessor<Policy_> &a);
type(const object &o);
type(object &&o);
static type of(handle h);
template <typename T>
static type of();
};
class iterable : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "iterable" ">() or reinterpret_steal<" "iterable" ">()")]] iterable(handle h, bool is_borrowed);
iterable(handle h, borrowed_t);
iterable(handle h, stolen_t);
template <typename Policy_> iterable(const ::pybind11::detail::accessor<Policy_> &a);
iterable(const object &o);
iterable(object &&o);
iterable() = default;
};
class bytes;
class str : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "str" ">() or reinterpret_steal<" "str" ">()")]] str(handle h, bool is_borrowed);
str(handle h, borrowed_t);
str(handle h, stolen_t);
template <typename Policy_> str(const ::pybind11::detail::accessor<Policy_> &a);
str(const object &o);
str(object &&o);
template <typename SzType, detail::enable_if_t<std::is_integral<SzType>::value, int> = 0>
str(const char *c, const SzType &n);
str(const char *c = "");
str(const std::string &s);
template <typename T, detail::enable_if_t<std::is_same<T, std::string_view>::value, int> = 0>
str(T s);
explicit str(const bytes &b);
explicit str(handle h);
operator std::string() const;
template <typename... Args>
str format(Args &&...args) const;
private:
};
inline namespace literals {
inline str
operator""_s
(const char *s, size_t size);
}
class bytes : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "bytes" ">() or reinterpret_steal<" "bytes" ">()")]] bytes(handle h, bool is_borrowed);
bytes(handle h, borrowed_t);
bytes(handle h, stolen_t);
template <typename Policy_> bytes(const ::pybind11::detail::accessor<Policy_> &a);
bytes(const object &o);
bytes(object &&o);
bytes(const char *c = "");
template <typename SzType, detail::enable_if_t<std::is_integral<SzType>::value, int> = 0>
bytes(const char *c, const SzType &n);
bytes(const std::string &s);
explicit bytes(const pybind11::str &s);
operator std::string() const;
template <typename T, detail::enable_if_t<std::is_same<T, std::string_view>::value, int> = 0>
bytes(T s);
operator std::string_view() const;
private:
};
class bytearray : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "bytearray" ">() or reinterpret_steal<" "bytearray" ">()")]] bytearray(handle h, bool is_borrowed);
bytearray(handle h, borrowed_t);
bytearray(handle h, stolen_t);
template <typename Policy_> bytearray(const ::pybind11::detail::accessor<Policy_> &a);
bytearray(const object &o);
bytearray(object &&o);
template <typename SzType, detail::enable_if_t<std::is_integral<SzType>::value, int> = 0>
bytearray(const char *c, const SzType &n);
bytearray();
explicit bytearray(const std::string &s);
size_t size() const;
explicit operator std::string() const;
};
class none : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "none" ">() or reinterpret_steal<" "none" ">()")]] none(handle h, bool is_borrowed);
none(handle h, borrowed_t);
none(handle h, stolen_t);
template <typename Policy_> none(const ::pybind11::detail::accessor<Policy_> &a);
none(const object &o);
none(object &&o);
none();
};
class ellipsis : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "ellipsis" ">() or reinterpret_steal<" "ellipsis" ">()")]] ellipsis(handle h, bool is_borrowed);
ellipsis(handle h, borrowed_t);
ellipsis(handle h, stolen_t);
template <typename Policy_> ellipsis(const ::pybind11::detail::accessor<Policy_> &a);
ellipsis(const object &o);
ellipsis(object &&o);
ellipsis();
};
class bool_ : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "bool_" ">() or reinterpret_steal<" "bool_" ">()")]] bool_(handle h, bool is_borrowed);
bool_(handle h, borrowed_t);
bool_(handle h, stolen_t);
template <typename Policy_> bool_(const ::pybind11::detail::accessor<Policy_> &a);
bool_(const object &o);
bool_(object &&o);
bool_();
bool_(bool value);
operator bool() const;
private:
};
class int_ : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "int_" ">() or reinterpret_steal<" "int_" ">()")]] int_(handle h, bool is_borrowed);
int_(handle h, borrowed_t);
int_(handle h, stolen_t);
template <typename Policy_> int_(const ::pybind11::detail::accessor<Policy_> &a);
int_(const object &o);
int_(object &&o);
int_();
template <typename T, detail::enable_if_t<std::is_integral<T>::value, int> = 0>
int_(T value);
template <typename T, detail::enable_if_t<std::is_integral<T>::value, int> = 0>
operator T() const;
};
class float_ : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "float_" ">() or reinterpret_steal<" "float_" ">()")]] float_(handle h, bool is_borrowed);
float_(handle h, borrowed_t);
float_(handle h, stolen_t);
template <typename Policy_> float_(const ::pybind11::detail::accessor<Policy_> &a);
float_(const object &o);
float_(object &&o);
float_(float value);
float_(double value = .0);
operator float() const;
operator double() const;
};
class weakref : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "weakref" ">() or reinterpret_steal<" "weakref" ">()")]] weakref(handle h, bool is_borrowed);
weakref(handle h, borrowed_t);
weakref(handle h, stolen_t);
template <typename Policy_> weakref(const ::pybind11::detail::accessor<Policy_> &a);
weakref(const object &o);
weakref(object &&o);
weakref() = default;
explicit weakref(handle obj, handle callback = {});
private:
};
class slice : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "slice" ">() or reinterpret_steal<" "slice" ">()")]] slice(handle h, bool is_borrowed);
slice(handle h, borrowed_t);
slice(handle h, stolen_t);
template <typename Policy_> slice(const ::pybind11::detail::accessor<Policy_> &a);
slice(const object &o);
slice(object &&o);
slice() = default;
slice(handle start, handle stop, handle step);
slice(std::optional<ssize_t> start, std::optional<ssize_t> stop, std::optional<ssize_t> step);
private:
};
class capsule : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "capsule" ">() or reinterpret_steal<" "capsule" ">()")]] capsule(handle h, bool is_borrowed);
capsule(handle h, borrowed_t);
capsule(handle h, stolen_t);
template <typename Policy_> capsule(const ::pybind11::detail::accessor<Policy_> &a);
capsule(const object &o);
capsule(object &&o);
capsule() = default;
[[deprecated("Use reinterpret_borrow<capsule>() or reinterpret_steal<capsule>()")]]
capsule(PyObject *ptr, bool is_borrowed);
explicit capsule(const void *value,
const char *name = nullptr,
PyCapsule_Destructor destructor = nullptr);
[[deprecated("Please use the ctor with value, name, destructor args")]]
capsule(const void *value, PyCapsule_Destructor destructor);
capsule(const void *value, void (*destructor)(void *));
capsule(const void *value, const char *name, void (*destructor)(void *));
explicit capsule(void (*destructor)());
template <typename T>
operator T *() const;
const char *name() const;
private:
};
class tuple : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "tuple" ">() or reinterpret_steal<" "tuple" ">()")]] tuple(handle h, bool is_borrowed);
tuple(handle h, borrowed_t);
tuple(handle h, stolen_t);
template <typename Policy_> tuple(const ::pybind11::detail::accessor<Policy_> &a);
tuple(const object &o);
tuple(object &&o);
template <typename SzType = ssize_t,
detail::enable_if_t<std::is_integral<SzType>::value, int> = 0>
explicit tuple(SzType size = 0);
size_t size() const;
detail::tuple_accessor operator[](size_t index) const;
template <typename T, detail::enable_if_t<detail::is_pyobject<T>::value, int> = 0>
detail::item_accessor operator[](T &&o) const;
detail::tuple_iterator begin() const;
detail::tuple_iterator end() const;
};
template <typename... Args>
constexpr bool args_are_all_keyword_or_ds() {
return detail::all_of<detail::is_keyword_or_ds<Args>...>::value;
}
class dict : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "dict" ">() or reinterpret_steal<" "dict" ">()")]] dict(handle h, bool is_borrowed);
dict(handle h, borrowed_t);
dict(handle h, stolen_t);
template <typename Policy_> dict(const ::pybind11::detail::accessor<Policy_> &a);
dict(const object &o);
dict(object &&o);
dict();
template <typename... Args,
typename = detail::enable_if_t<args_are_all_keyword_or_ds<Args...>()>,
typename collector = detail::deferred_t<detail::unpacking_collector<>, Args...>>
explicit dict(Args &&...args);
size_t size() const;
detail::dict_iterator begin() const;
detail::dict_iterator end() const;
template <typename T>
bool contains(T &&key) const;
private:
};
class sequence : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "sequence" ">() or reinterpret_steal<" "sequence" ">()")]] sequence(handle h, bool is_borrowed);
sequence(handle h, borrowed_t);
sequence(handle h, stolen_t);
template <typename Policy_> sequence(const ::pybind11::detail::accessor<Policy_> &a);
sequence(const object &o);
sequence(object &&o);
sequence() = default;
size_t size() const;
detail::sequence_accessor operator[](size_t index) const;
template <typename T, detail::enable_if_t<detail::is_pyobject<T>::value, int> = 0>
detail::item_accessor operator[](T &&o) const;
detail::sequence_iterator begin() const;
detail::sequence_iterator end() const;
};
class list : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "list" ">() or reinterpret_steal<" "list" ">()")]] list(handle h, bool is_borrowed);
list(handle h, borrowed_t);
list(handle h, stolen_t);
template <typename Policy_> list(const ::pybind11::detail::accessor<Policy_> &a);
list(const object &o);
list(object &&o);
template <typename SzType = ssize_t,
detail::enable_if_t<std::is_integral<SzType>::value, int> = 0>
explicit list(SzType size = 0);
size_t size() const;
detail::list_accessor operator[](size_t index) const;
template <typename T, detail::enable_if_t<detail::is_pyobject<T>::value, int> = 0>
detail::item_accessor operator[](T &&o) const;
detail::list_iterator begin() const;
detail::list_iterator end() const;
};
class args : public tuple {
public:
[[deprecated("Use reinterpret_borrow<" "args" ">() or reinterpret_steal<" "args" ">()")]] args(handle h, bool is_borrowed);
args(handle h, borrowed_t);
args(handle h, stolen_t);
template <typename Policy_> args(const ::pybind11::detail::accessor<Policy_> &a);
args(const object &o);
args(object &&o);
args() = default;
};
class kwargs : public dict {
public:
[[deprecated("Use reinterpret_borrow<" "kwargs" ">() or reinterpret_steal<" "kwargs" ">()")]] kwargs(handle h, bool is_borrowed);
kwargs(handle h, borrowed_t);
kwargs(handle h, stolen_t);
template <typename Policy_> kwargs(const ::pybind11::detail::accessor<Policy_> &a);
kwargs(const object &o);
kwargs(object &&o);
kwargs() = default;
};
class anyset : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "anyset" ">() or reinterpret_steal<" "anyset" ">()")]] anyset(handle h, bool is_borrowed);
anyset(handle h, borrowed_t);
anyset(handle h, stolen_t);
template <typename Policy_> anyset(const ::pybind11::detail::accessor<Policy_> &a);
anyset(const object &o);
anyset(object &&o);
size_t size() const;
template <typename T>
bool contains(T &&val) const;
};
class set : public anyset {
public:
public:
[[deprecated("Use reinterpret_borrow<" "set" ">() or reinterpret_steal<" "set" ">()")]] set(handle h, bool is_borrowed);
set(handle h, borrowed_t);
set(handle h, stolen_t);
template <typename Policy_> set(const ::pybind11::detail::accessor<Policy_> &a);
set(const object &o);
set(object &&o);
set();
};
class frozenset : public anyset {
public:
public:
[[deprecated("Use reinterpret_borrow<" "frozenset" ">() or reinterpret_steal<" "frozenset" ">()")]] frozenset(handle h, bool is_borrowed);
frozenset(handle h, borrowed_t);
frozenset(handle h, stolen_t);
template <typename Policy_> frozenset(const ::pybind11::detail::accessor<Policy_> &a);
frozenset(const object &o);
frozenset(object &&o);
};
class function : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "function" ">() or reinterpret_steal<" "function" ">()")]] function(handle h, bool is_borrowed);
function(handle h, borrowed_t);
function(handle h, stolen_t);
template <typename Policy_> function(const ::pybind11::detail::accessor<Policy_> &a);
function(const object &o);
function(object &&o);
function() = default;
handle cpp_function() const;
};
class buffer : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "buffer" ">() or reinterpret_steal<" "buffer" ">()")]] buffer(handle h, bool is_borrowed);
buffer(handle h, borrowed_t);
buffer(handle h, stolen_t);
template <typename Policy_> buffer(const ::pybind11::detail::accessor<Policy_> &a);
buffer(const object &o);
buffer(object &&o);
buffer() = default;
};
class memoryview : public object {
public:
public:
[[deprecated("Use reinterpret_borrow<" "memoryview" ">() or reinterpret_steal<" "memoryview" ">()")]] memoryview(handle h, bool is_borrowed);
memoryview(handle h, borrowed_t);
memoryview(handle h, stolen_t);
template <typename Policy_> memoryview(const ::pybind11::detail::accessor<Policy_> &a);
memoryview(const object &o);
memoryview(object &&o);
explicit memoryview(const buffer_info &info);
};
}
