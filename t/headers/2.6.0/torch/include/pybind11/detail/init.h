#pragma once
#include <pybind11/detail/class.h>
namespace pybind11 __attribute__((visibility("hidden"))) {
namespace detail {
template <>
class type_caster<value_and_holder> {
public:
bool load(handle h, bool);
explicit operator value_and_holder &();
static constexpr auto name = const_name<value_and_holder>();
private:
value_and_holder *value = nullptr;
};
namespace initimpl {
template <typename... Args>
struct constructor {
};
template <typename... Args>
struct alias_constructor {
};
template <typename CFunc,
typename AFunc = void_type (*)(),
typename = function_signature_t<CFunc>,
typename = function_signature_t<AFunc>>
struct factory;
template <typename Func, typename Return, typename... Args>
struct factory<Func, void_type (*)(), Return(Args...)> {
remove_reference_t<Func> class_factory;
factory(Func &&f);
};
template <typename CFunc,
typename AFunc,
typename CReturn,
typename... CArgs,
typename AReturn,
typename... AArgs>
struct factory<CFunc, AFunc, CReturn(CArgs...), AReturn(AArgs...)> {
remove_reference_t<CFunc> class_factory;
remove_reference_t<AFunc> alias_factory;
factory(CFunc &&c, AFunc &&a);
};
template <typename Get,
typename Set,
typename = function_signature_t<Get>,
typename = function_signature_t<Set>>
struct pickle_factory;
template <typename Get,
typename Set,
typename RetState,
typename Self,
typename NewInstance,
typename ArgState>
struct pickle_factory<Get, Set, RetState(Self), NewInstance(ArgState)> {
remove_reference_t<Get> get;
remove_reference_t<Set> set;
pickle_factory(Get get, Set set);
};
}
}
}
