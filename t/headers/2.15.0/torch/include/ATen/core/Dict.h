#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/TypeTraits.h>
#include <torch/headeronly/util/TypeList.h>
#include <c10/util/intrusive_ptr.h>
#include <c10/util/order_preserving_flat_hash_map.h>
#include <optional>
#include <ATen/core/TensorBody.h>
#include <ATen/core/jit_type_base.h>
namespace c10 {
struct IValue;
template<class Key, class Value> class Dict;
struct Type;
namespace detail {
struct DictKeyHash {
size_t operator()(const IValue& ivalue) const;
};
struct DictKeyEqualTo {
bool operator()(const IValue& lhs, const IValue& rhs) const;
};
struct DictImpl final : public c10::intrusive_ptr_target {
using dict_map_type = ska_ordered::order_preserving_flat_hash_map<IValue, IValue, DictKeyHash, DictKeyEqualTo>;
struct DictElementTypes final {
TypePtr keyType;
TypePtr valueType;
};
explicit DictImpl(dict_map_type dict_, DictElementTypes elementTypes_);
dict_map_type dict;
DictElementTypes elementTypes;
intrusive_ptr<DictImpl> copy() const;
friend __attribute__((__visibility__("default"))) bool operator==(const DictImpl& lhs, const DictImpl& rhs);
};
}
namespace impl {
template<class Key, class Value, class Iterator> class DictIterator;
template<class Key, class Value, class Iterator>
class DictEntryRef final {
public:
explicit DictEntryRef(Iterator iterator);
decltype(auto) key() const {
return iterator_->first.template to<Key>();
}
decltype(auto) value() const {
return iterator_->second.template to<Value>();
}
~DictEntryRef() = default;
private:
DictEntryRef(const DictEntryRef&) = default;
DictEntryRef& operator=(const DictEntryRef&) = default;
DictEntryRef(DictEntryRef&&) noexcept = default;
DictEntryRef& operator=(DictEntryRef&& rhs) & noexcept = default;
Iterator iterator_;
friend class DictIterator<Key, Value, Iterator>;
friend class Dict<Key, Value>;
};
template<class Key, class Value, class Iterator>
class DictIterator final {
public:
using iterator_category = std::forward_iterator_tag;
using value_type = DictEntryRef<Key, Value, Iterator>;
using difference_type = std::ptrdiff_t;
using pointer = value_type*;
using reference = value_type&;
explicit DictIterator() = default;
~DictIterator() = default;
DictIterator(const DictIterator& rhs);
DictIterator(DictIterator&& rhs) noexcept;
DictIterator& operator=(const DictIterator& rhs) = default;
DictIterator& operator=(DictIterator&& rhs) noexcept;
DictIterator& operator++();
DictIterator operator++(int);
const DictEntryRef<Key, Value, Iterator>& operator*() const;
const DictEntryRef<Key, Value, Iterator>* operator->() const;
private:
explicit DictIterator(Iterator iterator);
DictEntryRef<Key, Value, Iterator> entryRef_;
friend class DictIterator<Key, Value, typename c10::detail::DictImpl::dict_map_type::iterator>;
friend class Dict<Key, Value>;
};
}
template<class Key, class Value>
class Dict final {
private:
c10::intrusive_ptr<detail::DictImpl> impl_;
explicit Dict(c10::intrusive_ptr<detail::DictImpl>&& impl);
friend struct IValue;
public:
using key_type = Key;
using size_type = typename detail::DictImpl::dict_map_type::size_type;
using iterator = impl::DictIterator<Key, Value, typename detail::DictImpl::dict_map_type::iterator>;
explicit Dict();
explicit Dict(TypePtr keyType, TypePtr valueType);
~Dict() = default;
Dict(const Dict&) = default;
Dict& operator=(const Dict&) = default;
Dict copy() const;
iterator begin() const;
iterator end() const;
bool empty() const;
size_type size() const;
void clear() const;
Value at(const Key& key) const;
void reserve(size_type count) const;
template <class Key_, class Value_>
friend bool operator==(
const Dict<Key_, Value_>& lhs,
const Dict<Key_, Value_>& rhs);
template <class Key_, class Value_>
friend bool operator!=(
const Dict<Key_, Value_>& lhs,
const Dict<Key_, Value_>& rhs);
bool is(const Dict& rhs) const;
TypePtr keyType() const;
TypePtr valueType() const;
};
}
namespace torch {
template<class Key, class Value> using Dict = c10::Dict<Key, Value>;
}
#include <ATen/core/Dict_inl.h>
