#pragma once
#include <pybind11/detail/common.h>
#include <pybind11/detail/descr.h>
#include <pybind11/detail/type_caster_base.h>
#include <pybind11/detail/typeid.h>
#include <pybind11/pytypes.h>
#include <array>
#include <cstring>
#include <functional>
#include <iosfwd>
#include <iterator>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
namespace pybind11 __attribute__((visibility("hidden"))) {
namespace detail {
template <typename type, typename SFINAE = void>
class type_caster : public type_caster_base<type> {
};
template <typename type>
using make_caster = type_caster<intrinsic_t<type>>;
template <typename type>
class type_caster<std::reference_wrapper<type>> {
private:
using caster_t = make_caster<type>;
caster_t subcaster;
public:
bool load(handle src, bool convert);
static constexpr auto name = caster_t::name;
static handle
cast(const std::reference_wrapper<type> &src, return_value_policy policy, handle parent);
explicit operator std::reference_wrapper<type>();
};
template <typename CharT>
using is_std_char_type = any_of<std::is_same<CharT, char>,
std::is_same<CharT, char16_t>,
std::is_same<CharT, char32_t>,
std::is_same<CharT, wchar_t>
>;
template <typename T>
struct type_caster<T, enable_if_t<std::is_arithmetic<T>::value && !is_std_char_type<T>::value>> {
public:
bool load(handle src, bool convert);
template <typename U = T>
static typename std::enable_if<std::is_floating_point<U>::value, handle>::type
cast(U src, return_value_policy , handle );
template <typename U = T>
static typename std::enable_if<!std::is_floating_point<U>::value && std::is_signed<U>::value
&& (sizeof(U) <= sizeof(long)),
handle>::type
cast(U src, return_value_policy , handle );
template <typename U = T>
static typename std::enable_if<!std::is_floating_point<U>::value && std::is_unsigned<U>::value
&& (sizeof(U) <= sizeof(unsigned long)),
handle>::type
cast(U src, return_value_policy , handle );
template <typename U = T>
static typename std::enable_if<!std::is_floating_point<U>::value && std::is_signed<U>::value
&& (sizeof(U) > sizeof(long)),
handle>::type
cast(U src, return_value_policy , handle );
template <typename U = T>
static typename std::enable_if<!std::is_floating_point<U>::value && std::is_unsigned<U>::value
&& (sizeof(U) > sizeof(unsigned long)),
handle>::type
cast(U src, return_value_policy , handle );
protected:
T value;
public:
static constexpr auto name = const_name<std::is_integral<T>::value>("int", "float");
template <typename T_, ::pybind11::detail::enable_if_t< std::is_same<T, ::pybind11::detail::remove_cv_t<T_>>::value, int> = 0> static ::pybind11::handle cast( T_ *src, ::pybind11::return_value_policy policy, ::pybind11::handle parent);
operator T *();
operator T &();
operator T &&() &&;
};
template <typename T>
struct void_caster {
public:
bool load(handle src, bool);
static handle cast(T, return_value_policy , handle );
protected:
T value;
public:
static constexpr auto name = const_name("None");
template <typename T_, ::pybind11::detail::enable_if_t< std::is_same<T, ::pybind11::detail::remove_cv_t<T_>>::value, int> = 0> static ::pybind11::handle cast( T_ *src, ::pybind11::return_value_policy policy, ::pybind11::handle parent);
operator T *();
operator T &();
operator T &&() &&;
};
template <>
class type_caster<void_type> : public void_caster<void_type> {
};
template <>
class type_caster<void> : public type_caster<void_type> {
public:
using type_caster<void_type>::cast;
bool load(handle h, bool);
static handle cast(const void *ptr, return_value_policy , handle );
explicit operator void *&();
static constexpr auto name = const_name("capsule");
private:
void *value = nullptr;
};
template <>
class type_caster<std::nullptr_t> : public void_caster<std::nullptr_t> {
};
template <>
class type_caster<bool> {
public:
bool load(handle src, bool convert);
static handle cast(bool src, return_value_policy , handle );
protected:
bool value;
public:
static constexpr auto name = const_name("bool");
template <typename T_, ::pybind11::detail::enable_if_t< std::is_same<bool, ::pybind11::detail::remove_cv_t<T_>>::value, int> = 0> static ::pybind11::handle cast( T_ *src, ::pybind11::return_value_policy policy, ::pybind11::handle parent);
operator bool *();
operator bool &();
operator bool &&() &&;
private:
};
template <typename StringType, bool IsView = false>
struct string_caster {
using CharT = typename StringType::value_type;
bool load(handle src, bool);
static handle
cast(const StringType &src, return_value_policy , handle );
protected:
StringType value;
public:
static constexpr auto name = const_name("str");
template <typename T_, ::pybind11::detail::enable_if_t< std::is_same<StringType, ::pybind11::detail::remove_cv_t<T_>>::value, int> = 0> static ::pybind11::handle cast( T_ *src, ::pybind11::return_value_policy policy, ::pybind11::handle parent);
operator StringType *();
operator StringType &();
operator StringType &&() &&;
private:
};
template <typename CharT, class Traits, class Allocator>
struct type_caster<std::basic_string<CharT, Traits, Allocator>,
enable_if_t<is_std_char_type<CharT>::value>>
: string_caster<std::basic_string<CharT, Traits, Allocator>> {
};
template <typename CharT, class Traits>
struct type_caster<std::basic_string_view<CharT, Traits>,
enable_if_t<is_std_char_type<CharT>::value>>
: string_caster<std::basic_string_view<CharT, Traits>, true> {
};
template <typename CharT>
struct type_caster<CharT, enable_if_t<is_std_char_type<CharT>::value>> {
using StringType = std::basic_string<CharT>;
using StringCaster = make_caster<StringType>;
StringCaster str_caster;
bool none = false;
CharT one_char = 0;
public:
bool load(handle src, bool convert);
static handle cast(const CharT *src, return_value_policy policy, handle parent);
static handle cast(CharT src, return_value_policy policy, handle parent);
explicit operator CharT *();
explicit operator CharT &();
static constexpr auto name = const_name("str");
};
template <template <typename...> class Tuple, typename... Ts>
class tuple_caster {
using type = Tuple<Ts...>;
static constexpr auto size = sizeof...(Ts);
public:
bool load(handle src, bool convert);
template <typename T>
static handle cast(T &&src, return_value_policy policy, handle parent);
template <typename T>
static handle cast(T *src, return_value_policy policy, handle parent);
static constexpr auto name = const_name("tuple[")
+ ::pybind11::detail::concat(make_caster<Ts>::name...)
+ const_name("]");
explicit operator type() &;
explicit operator type() &&;
protected:
Tuple<make_caster<Ts>...> subcasters;
};
template <typename T1, typename T2>
class type_caster<std::pair<T1, T2>> : public tuple_caster<std::pair, T1, T2> {
};
template <typename... Ts>
class type_caster<std::tuple<Ts...>> : public tuple_caster<std::tuple, Ts...> {
};
template <>
class type_caster<std::tuple<>> : public tuple_caster<std::tuple> {
public:
static constexpr auto name = const_name("tuple[()]");
};
template <typename type, typename holder_type, typename SFINAE = void>
struct copyable_holder_caster : public type_caster_base<type> {
public:
using base = type_caster_base<type>;
using base::base;
using base::cast;
using base::typeinfo;
using base::value;
bool load(handle src, bool convert);
explicit operator type *();
explicit operator type &();
explicit operator holder_type *();
explicit operator holder_type &();
static handle cast(const holder_type &src, return_value_policy, handle);
protected:
friend class type_caster_generic;
holder_type holder;
};
template <typename T>
class type_caster<std::shared_ptr<T>> : public copyable_holder_caster<T, std::shared_ptr<T>> {
};
template <typename type, typename holder_type, typename SFINAE = void>
struct move_only_holder_caster {
static handle cast(holder_type &&src, return_value_policy, handle);
static constexpr auto name = type_caster_base<type>::name;
};
template <typename type, typename deleter>
class type_caster<std::unique_ptr<type, deleter>>
: public move_only_holder_caster<type, std::unique_ptr<type, deleter>> {
};
template <typename type, typename holder_type>
using type_caster_holder = conditional_t<is_copy_constructible<holder_type>::value,
copyable_holder_caster<type, holder_type>,
move_only_holder_caster<type, holder_type>>;
template <typename base, typename holder>
struct is_holder_type
: std::is_base_of<detail::type_caster_holder<base, holder>, detail::type_caster<holder>> {
};
template <typename base, typename deleter>
struct is_holder_type<base, std::unique_ptr<base, deleter>> : std::true_type {
};
template <typename T>
struct handle_type_name {
static constexpr auto name = const_name<T>();
};
template <>
struct handle_type_name<object> {
static constexpr auto name = const_name("object");
};
template <>
struct handle_type_name<list> {
static constexpr auto name = const_name("list");
};
template <>
struct handle_type_name<dict> {
static constexpr auto name = const_name("dict");
};
template <>
struct handle_type_name<anyset> {
static constexpr auto name = const_name("Union[set, frozenset]");
};
template <>
struct handle_type_name<set> {
static constexpr auto name = const_name("set");
};
template <>
struct handle_type_name<frozenset> {
static constexpr auto name = const_name("frozenset");
};
template <>
struct handle_type_name<str> {
static constexpr auto name = const_name("str");
};
template <>
struct handle_type_name<tuple> {
static constexpr auto name = const_name("tuple");
};
template <>
struct handle_type_name<bool_> {
static constexpr auto name = const_name("bool");
};
template <>
struct handle_type_name<bytes> {
static constexpr auto name = const_name("bytes");
};
template <>
struct handle_type_name<buffer> {
static constexpr auto name = const_name("Buffer");
};
template <>
struct handle_type_name<int_> {
static constexpr auto name = const_name("int");
};
template <>
struct handle_type_name<iterable> {
static constexpr auto name = const_name("Iterable");
};
template <>
struct handle_type_name<iterator> {
static constexpr auto name = const_name("Iterator");
};
template <>
struct handle_type_name<float_> {
static constexpr auto name = const_name("float");
};
template <>
struct handle_type_name<function> {
static constexpr auto name = const_name("Callable");
};
template <>
struct handle_type_name<handle> {
static constexpr auto name = handle_type_name<object>::name;
};
template <>
struct handle_type_name<none> {
static constexpr auto name = const_name("None");
};
template <>
struct handle_type_name<sequence> {
static constexpr auto name = const_name("Sequence");
};
template <>
struct handle_type_name<bytearray> {
static constexpr auto name = const_name("bytearray");
};
template <>
struct handle_type_name<memoryview> {
static constexpr auto name = const_name("memoryview");
};
template <>
struct handle_type_name<slice> {
static constexpr auto name = const_name("slice");
};
template <>
struct handle_type_name<type> {
static constexpr auto name = const_name("type");
};
template <>
struct handle_type_name<capsule> {
static constexpr auto name = const_name("capsule");
};
template <>
struct handle_type_name<ellipsis> {
static constexpr auto name = const_name("ellipsis");
};
template <>
struct handle_type_name<weakref> {
static constexpr auto name = const_name("weakref");
};
template <>
struct handle_type_name<args> {
static constexpr auto name = const_name("*args");
};
template <>
struct handle_type_name<kwargs> {
static constexpr auto name = const_name("**kwargs");
};
template <>
struct handle_type_name<obj_attr_accessor> {
static constexpr auto name = const_name<obj_attr_accessor>();
};
template <>
struct handle_type_name<str_attr_accessor> {
static constexpr auto name = const_name<str_attr_accessor>();
};
template <>
struct handle_type_name<item_accessor> {
static constexpr auto name = const_name<item_accessor>();
};
template <>
struct handle_type_name<sequence_accessor> {
static constexpr auto name = const_name<sequence_accessor>();
};
template <>
struct handle_type_name<list_accessor> {
static constexpr auto name = const_name<list_accessor>();
};
template <>
struct handle_type_name<tuple_accessor> {
static constexpr auto name = const_name<tuple_accessor>();
};
template <typename type>
struct pyobject_caster {
template <typename T = type, enable_if_t<std::is_same<T, handle>::value, int> = 0>
pyobject_caster();
template <typename T = type, enable_if_t<std::is_base_of<object, T>::value, int> = 0>
pyobject_caster();
template <typename T = type, enable_if_t<std::is_same<T, handle>::value, int> = 0>
bool load(handle src, bool );
template <typename T = type, enable_if_t<std::is_base_of<object, T>::value, int> = 0>
bool load(handle src, bool );
static handle cast(const handle &src, return_value_policy , handle );
protected:
type value;
public:
static constexpr auto name = handle_type_name<type>::name;
template <typename T_, ::pybind11::detail::enable_if_t< std::is_same<type, ::pybind11::detail::remove_cv_t<T_>>::value, int> = 0> static ::pybind11::handle cast( T_ *src, ::pybind11::return_value_policy policy, ::pybind11::handle parent);
operator type *();
operator type &();
operator type &&() &&;
};
template <typename T>
class type_caster<T, enable_if_t<is_pyobject<T>::value>> : public pyobject_caster<T> {
};
template <typename T>
using move_is_plain_type
= satisfies_none_of<T, std::is_void, std::is_pointer, std::is_reference, std::is_const>;
template <typename T, typename SFINAE = void>
struct move_always : std::false_type {
};
template <typename T>
struct move_always<
T,
enable_if_t<
all_of<move_is_plain_type<T>,
negation<is_copy_constructible<T>>,
is_move_constructible<T>,
std::is_same<decltype(std::declval<make_caster<T>>().operator T &()), T &>>::value>>
: std::true_type {
};
template <typename T, typename SFINAE = void>
struct move_if_unreferenced : std::false_type {
};
template <typename T>
struct move_if_unreferenced<
T,
enable_if_t<
all_of<move_is_plain_type<T>,
negation<move_always<T>>,
is_move_constructible<T>,
std::is_same<decltype(std::declval<make_caster<T>>().operator T &()), T &>>::value>>
: std::true_type {
};
template <typename T>
using move_never = none_of<move_always<T>, move_if_unreferenced<T>>;
}
template <typename T>
detail::enable_if_t<!detail::move_never<T>::value, T> move(object &&obj);
struct arg {
constexpr explicit arg(const char *name = nullptr)
: name(name), flag_noconvert(false), flag_none(true) {}
template <typename T>
arg_v operator=(T &&value) const;
arg &none(bool flag = true);
const char *name;
bool flag_noconvert : 1;
bool flag_none : 1;
};
struct arg_v : arg {
private:
template <typename T>
arg_v(arg &&base, T &&x, const char *descr = nullptr);
public:
template <typename T>
arg_v(const char *name, T &&x, const char *descr = nullptr);
template <typename T>
arg_v(const arg &base, T &&x, const char *descr = nullptr);
arg_v &none(bool flag = true);
object value;
const char *descr;
};
inline namespace literals {
constexpr arg
operator""_a
(const char *name, size_t) {
return arg(name);
}
}
namespace detail {
template <return_value_policy policy>
class unpacking_collector {
public:
template <typename... Ts>
explicit unpacking_collector(Ts &&...values);
const tuple &args() const &;
const dict &kwargs() const &;
tuple args() &&;
dict kwargs() &&;
object call(PyObject *ptr) const;
private:
private:
tuple m_args;
dict m_kwargs;
};
}
}
