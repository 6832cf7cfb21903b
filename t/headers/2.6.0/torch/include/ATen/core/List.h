#pragma once
#include <ATen/core/ivalue_to.h>
#include <ATen/core/jit_type_base.h>
#include <c10/macros/Macros.h>
#include <c10/util/TypeTraits.h>
#include <c10/util/TypeList.h>
#include <c10/util/intrusive_ptr.h>
#include <c10/util/ArrayRef.h>
#include <optional>
#include <vector>
namespace at {
class Tensor;
}
namespace c10 {
struct IValue;
template<class T> class List;
struct Type;
namespace detail {
struct ListImpl final : public c10::intrusive_ptr_target {
using list_type = std::vector<IValue>;
explicit __attribute__((__visibility__("default"))) ListImpl(list_type list_, TypePtr elementType_);
list_type list;
TypePtr elementType;
intrusive_ptr<ListImpl> copy() const;
friend __attribute__((__visibility__("default"))) bool operator==(const ListImpl& lhs, const ListImpl& rhs);
};
}
namespace impl {
template<class T, class Iterator> class ListIterator;
template<class T, class Iterator> class ListElementReference;
template<class T, class Iterator>
bool operator==(const ListElementReference<T, Iterator>& lhs, const T& rhs);
template<class T, class Iterator>
bool operator==(const T& lhs, const ListElementReference<T, Iterator>& rhs);
template<class T>
struct ListElementConstReferenceTraits {
using const_reference = typename c10::detail::ivalue_to_const_ref_overload_return<T>::type;
};
template<>
struct ListElementConstReferenceTraits<std::optional<std::string>> {
using const_reference = std::optional<std::reference_wrapper<const std::string>>;
};
template<class T, class Iterator>
class ListElementReference final {
public:
operator std::conditional_t<
std::is_reference_v<typename c10::detail::
ivalue_to_const_ref_overload_return<T>::type>,
const T&,
T>() const;
ListElementReference& operator=(T&& new_value) &&;
ListElementReference& operator=(const T& new_value) &&;
ListElementReference& operator=(ListElementReference&& rhs) && noexcept;
const IValue& get() const&;
ListElementReference(const ListElementReference&) = delete;
ListElementReference& operator=(const ListElementReference&) = delete;
~ListElementReference() = default;
private:
ListElementReference(Iterator iter);
ListElementReference(ListElementReference&&) noexcept = default;
ListElementReference& operator=(ListElementReference&& rhs) & noexcept;
friend class List<T>;
friend class ListIterator<T, Iterator>;
Iterator iterator_;
};
template <class T, class Iterator>
class ListIterator final {
public:
using iterator_category = std::random_access_iterator_tag;
using value_type = T;
using pointer = T*;
using reference = ListElementReference<T, Iterator>;
explicit ListIterator() = default;
~ListIterator() = default;
ListIterator(const ListIterator&) = default;
ListIterator(ListIterator&&) noexcept = default;
ListIterator& operator=(const ListIterator&) = default;
ListIterator& operator=(ListIterator&&) noexcept = default;
ListIterator& operator++();
ListIterator operator++(int);
ListIterator& operator--();
ListIterator operator--(int);
ListIterator& operator+=(typename List<T>::size_type offset);
ListIterator& operator-=(typename List<T>::size_type offset);
ListIterator operator+(typename List<T>::size_type offset) const;
ListIterator operator-(typename List<T>::size_type offset) const;
ListElementReference<T, Iterator> operator*() const;
ListElementReference<T, Iterator> operator[](typename List<T>::size_type offset) const;
private:
explicit ListIterator(Iterator iterator);
Iterator iterator_;
friend class ListIterator<T, typename c10::detail::ListImpl::list_type::iterator>;
friend class List<T>;
};
}
template<class T>
class List final {
private:
c10::intrusive_ptr<c10::detail::ListImpl> impl_;
using internal_reference_type = impl::ListElementReference<T, typename c10::detail::ListImpl::list_type::iterator>;
using internal_const_reference_type = typename impl::ListElementConstReferenceTraits<T>::const_reference;
public:
using value_type = T;
using size_type = typename c10::detail::ListImpl::list_type::size_type;
using iterator = impl::ListIterator<T, typename c10::detail::ListImpl::list_type::iterator>;
using const_iterator = impl::ListIterator<T, typename c10::detail::ListImpl::list_type::iterator>;
explicit List();
List(std::initializer_list<T> initial_values);
explicit List(ArrayRef<T> initial_values);
explicit List(TypePtr elementType);
List(const List&) = default;
List& operator=(const List&) = default;
~List() = default;
List copy() const;
internal_const_reference_type get(size_type pos) const;
internal_const_reference_type operator[](size_type pos) const;
internal_reference_type operator[](size_type pos);
void set(size_type pos, const value_type& value) const;
void set(size_type pos, value_type&& value) const;
iterator begin() const;
iterator end() const;
bool empty() const;
size_type size() const;
void clear() const;
template<class... Args>
iterator emplace(iterator pos, Args&&... value) const;
template <class T_>
friend bool operator==(const List<T_>& lhs, const List<T_>& rhs);
template <class T_>
friend bool operator!=(const List<T_>& lhs, const List<T_>& rhs);
bool is(const List<T>& rhs) const;
std::vector<T> vec() const;
TypePtr elementType() const;
private:
explicit List(c10::intrusive_ptr<c10::detail::ListImpl>&& elements);
explicit List(const c10::intrusive_ptr<c10::detail::ListImpl>& elements);
friend struct IValue;
};
}
namespace torch {
template<class T> using List = c10::List<T>;
}
#include <ATen/core/List_inl.h>
