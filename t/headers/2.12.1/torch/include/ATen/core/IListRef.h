#pragma once
#include <ATen/core/ivalue_to.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <type_traits>
namespace c10 {
template <typename T>
class IListRef;
enum class IListRefTag {
Unboxed, Boxed, Materialized,
None
};
namespace detail {
template <typename T>
using IListRefConstRef = typename ivalue_to_const_ref_overload_return<T>::type;
template <IListRefTag TAG, typename T>
class IListRefTagImpl {
};
template <IListRefTag TAG, typename T, typename ListElemT = T>
class IListRefTagImplBase {
};
template <typename T>
using _MaterializedIListRefElem = std::conditional_t<
std::is_reference_v<T>,
typename std::reference_wrapper<std::remove_reference_t<T>>,
T>;
template <typename T>
using MaterializedIListRefElem = _MaterializedIListRefElem<IListRefConstRef<T>>;
template <typename T>
using MaterializedIListRef = std::vector<MaterializedIListRefElem<T>>;
}
template <typename T>
class IListRefIterator {
private:
friend class detail::IListRefTagImpl<IListRefTag::Unboxed, T>;
friend class detail::IListRefTagImplBase< IListRefTag::Unboxed, T, typename detail::IListRefTagImpl<IListRefTag::Unboxed, T>::elem_type>;
friend class detail::IListRefTagImpl<IListRefTag::Boxed, T>;
friend class detail::IListRefTagImplBase< IListRefTag::Boxed, T, typename detail::IListRefTagImpl<IListRefTag::Boxed, T>::elem_type>;
friend class detail::IListRefTagImpl<IListRefTag::Materialized, T>;
friend class detail::IListRefTagImplBase< IListRefTag::Materialized, T, typename detail::IListRefTagImpl<IListRefTag::Materialized, T>::elem_type>;
public:
using iterator_category = std::bidirectional_iterator_tag;
using value_type = T;
using pointer = T*;
using reference = T&;
using unboxed_iterator_type = typename detail::
IListRefTagImpl<IListRefTag::Unboxed, T>::list_type::const_iterator;
using boxed_iterator_type = typename detail::
IListRefTagImpl<IListRefTag::Boxed, T>::list_type::const_iterator;
using materialized_iterator_type =
typename detail::MaterializedIListRef<T>::const_iterator;
IListRefIterator();
IListRefIterator(boxed_iterator_type boxed);
IListRefIterator(unboxed_iterator_type unboxed);
IListRefIterator(materialized_iterator_type materialized);
detail::IListRefConstRef<T> operator*() const;
IListRefIterator& operator++();
IListRefIterator operator++(int);
IListRefIterator& operator--();
IListRefIterator operator--(int);
bool operator==(const IListRefIterator& rhs) const;
bool operator!=(const IListRefIterator& rhs) const;
private:
union Payload {
boxed_iterator_type boxed_iterator;
unboxed_iterator_type unboxed_iterator;
materialized_iterator_type materialized_iterator;
void* _init_ptr;
Payload();
};
Payload payload_;
IListRefTag tag_;
};
template <typename T>
class IListRef {
private:
friend class detail::IListRefTagImpl<IListRefTag::Unboxed, T>;
friend class detail::IListRefTagImplBase< IListRefTag::Unboxed, T, typename detail::IListRefTagImpl<IListRefTag::Unboxed, T>::elem_type>;
friend class detail::IListRefTagImpl<IListRefTag::Boxed, T>;
friend class detail::IListRefTagImplBase< IListRefTag::Boxed, T, typename detail::IListRefTagImpl<IListRefTag::Boxed, T>::elem_type>;
friend class detail::IListRefTagImpl<IListRefTag::Materialized, T>;
friend class detail::IListRefTagImplBase< IListRefTag::Materialized, T, typename detail::IListRefTagImpl<IListRefTag::Materialized, T>::elem_type>;
public:
using unboxed_type =
typename detail::IListRefTagImpl<IListRefTag::Unboxed, T>::list_type;
using boxed_type =
typename detail::IListRefTagImpl<IListRefTag::Boxed, T>::list_type;
using materialized_type =
typename detail::MaterializedIListRef<T>;
using iterator = IListRefIterator<T>;
using const_iterator = IListRefIterator<T>;
using value_type = typename iterator::value_type;
IListRef();
IListRef(const boxed_type& boxed);
IListRef(const unboxed_type& unboxed);
IListRef(const std::initializer_list<T>& list);
template <
typename... UnboxedConstructorArgs,
typename = std::enable_if_t<
std::is_constructible_v<unboxed_type, UnboxedConstructorArgs...>>>
IListRef(UnboxedConstructorArgs&&... args);
IListRef(const materialized_type& materialized);
size_t size() const;
bool empty() const;
iterator begin() const;
iterator end() const;
private:
union Payload {
const boxed_type* boxed;
unboxed_type unboxed;
const materialized_type* materialized;
Payload();
};
Payload payload_;
IListRefTag tag_;
};
}
#include <ATen/core/IListRef_inl.h>
