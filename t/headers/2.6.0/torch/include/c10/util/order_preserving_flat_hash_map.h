#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
namespace ska_ordered {
struct fibonacci_hash_policy;
namespace detailv3 {
template <typename Result, typename Functor>
struct functor_storage : Functor {
functor_storage() = default;
functor_storage(const Functor& functor);
template <typename... Args>
Result operator()(Args&&... args);
template <typename... Args>
Result operator()(Args&&... args) const;
};
template <typename Result, typename... Args>
struct functor_storage<Result, Result (*)(Args...)> {
typedef Result (*function_ptr)(Args...);
function_ptr function;
functor_storage(function_ptr function);
Result operator()(Args... args) const;
operator function_ptr&();
operator const function_ptr&();
};
template <typename key_type, typename value_type, typename hasher>
struct KeyOrValueHasher : functor_storage<uint64_t, hasher> {
KeyOrValueHasher() = default;
KeyOrValueHasher(const hasher& hash);
uint64_t operator()(const key_type& key);
uint64_t operator()(const key_type& key) const;
uint64_t operator()(const value_type& value);
uint64_t operator()(const value_type& value) const;
template <typename F, typename S>
uint64_t operator()(const std::pair<F, S>& value);
template <typename F, typename S>
uint64_t operator()(const std::pair<F, S>& value) const;
};
template <typename key_type, typename value_type, typename key_equal>
struct KeyOrValueEquality : functor_storage<bool, key_equal> {
KeyOrValueEquality() = default;
KeyOrValueEquality(const key_equal& equality);
bool operator()(const key_type& lhs, const key_type& rhs);
bool operator()(const key_type& lhs, const value_type& rhs);
bool operator()(const value_type& lhs, const key_type& rhs);
bool operator()(const value_type& lhs, const value_type& rhs);
template <typename F, typename S>
bool operator()(const key_type& lhs, const std::pair<F, S>& rhs);
template <typename F, typename S>
bool operator()(const std::pair<F, S>& lhs, const key_type& rhs);
template <typename F, typename S>
bool operator()(const value_type& lhs, const std::pair<F, S>& rhs);
template <typename F, typename S>
bool operator()(const std::pair<F, S>& lhs, const value_type& rhs);
template <typename FL, typename SL, typename FR, typename SR>
bool operator()(const std::pair<FL, SL>& lhs, const std::pair<FR, SR>& rhs);
};
static constexpr int8_t min_lookups = 4;
template <typename T>
struct sherwood_v3_entry {
sherwood_v3_entry();
sherwood_v3_entry(int8_t distance_from_desired);
~sherwood_v3_entry();
bool has_value() const;
template <typename... Args>
void emplace(int8_t distance, Args&&... args);
sherwood_v3_entry<T>* prev = nullptr;
sherwood_v3_entry<T>* next = nullptr;
int8_t distance_from_desired = -1;
union {
T value;
};
};
template <typename... Ts>
struct make_void {
typedef void type;
};
template <typename... Ts>
using void_t = typename make_void<Ts...>::type;
template <typename T, typename = void>
struct HashPolicySelector {
typedef fibonacci_hash_policy type;
};
template <typename T>
struct HashPolicySelector<T, void_t<typename T::hash_policy>> {
typedef typename T::hash_policy type;
};
template <
typename T,
typename FindKey,
typename ArgumentHash,
typename Hasher,
typename ArgumentEqual,
typename Equal,
typename ArgumentAlloc,
typename EntryAlloc>
class sherwood_v3_table : private EntryAlloc, private Hasher, private Equal {
using AllocatorTraits = std::allocator_traits<EntryAlloc>;
using EntryPointer = typename AllocatorTraits::pointer;
public:
using value_type = T;
using size_type = uint64_t;
using hasher = ArgumentHash;
using key_equal = ArgumentEqual;
using reference = value_type&;
using const_reference = const value_type&;
using pointer = value_type*;
using const_pointer = const value_type*;
sherwood_v3_table() = default;
explicit sherwood_v3_table(
size_type bucket_count,
const ArgumentHash& hash = ArgumentHash(),
const ArgumentEqual& equal = ArgumentEqual(),
const ArgumentAlloc& alloc = ArgumentAlloc());
sherwood_v3_table(size_type bucket_count, const ArgumentAlloc& alloc);
sherwood_v3_table(
size_type bucket_count,
const ArgumentHash& hash,
const ArgumentAlloc& alloc);
explicit sherwood_v3_table(const ArgumentAlloc& alloc);
template <typename It>
sherwood_v3_table(
It first,
It last,
size_type bucket_count = 0,
const ArgumentHash& hash = ArgumentHash(),
const ArgumentEqual& equal = ArgumentEqual(),
const ArgumentAlloc& alloc = ArgumentAlloc());
template <typename It>
sherwood_v3_table(
It first,
It last,
size_type bucket_count,
const ArgumentAlloc& alloc);
template <typename It>
sherwood_v3_table(
It first,
It last,
size_type bucket_count,
const ArgumentHash& hash,
const ArgumentAlloc& alloc);
sherwood_v3_table(
std::initializer_list<T> il,
size_type bucket_count = 0,
const ArgumentHash& hash = ArgumentHash(),
const ArgumentEqual& equal = ArgumentEqual(),
const ArgumentAlloc& alloc = ArgumentAlloc());
sherwood_v3_table(
std::initializer_list<T> il,
size_type bucket_count,
const ArgumentAlloc& alloc);
sherwood_v3_table(
std::initializer_list<T> il,
size_type bucket_count,
const ArgumentHash& hash,
const ArgumentAlloc& alloc);
sherwood_v3_table(const sherwood_v3_table& other);
sherwood_v3_table(const sherwood_v3_table& other, const ArgumentAlloc& alloc);
sherwood_v3_table(sherwood_v3_table&& other) noexcept;
sherwood_v3_table(
sherwood_v3_table&& other,
const ArgumentAlloc& alloc) noexcept;
sherwood_v3_table& operator=(const sherwood_v3_table& other);
sherwood_v3_table& operator=(sherwood_v3_table&& other) noexcept;
~sherwood_v3_table();
template <typename ValueType>
struct templated_iterator {
templated_iterator() = default;
templated_iterator(EntryPointer current);
EntryPointer current = EntryPointer();
using iterator_category = std::forward_iterator_tag;
using value_type = ValueType;
using pointer = ValueType*;
using reference = ValueType&;
templated_iterator& operator++();
templated_iterator operator++(int);
ValueType& operator*() const;
ValueType* operator->() const;
template <
class target_type = const value_type,
class = std::enable_if_t<
std::is_same_v<target_type, const value_type> &&
!std::is_same_v<target_type, value_type>>>
operator templated_iterator<target_type>() const;
};
using iterator = templated_iterator<value_type>;
using const_iterator = templated_iterator<const value_type>;
iterator begin();
const_iterator begin() const;
const_iterator cbegin() const;
iterator end();
const_iterator end() const;
const_iterator cend() const;
uint64_t count(const FindKey& key) const;
template <typename Key, typename... Args>
std::pair<iterator, bool> emplace(Key&& key, Args&&... args);
void clear();
uint64_t size() const;
uint64_t bucket_count() const;
bool empty() const;
private:
EntryPointer entries = empty_default_table();
uint64_t num_slots_minus_one = 0;
typename HashPolicySelector<ArgumentHash>::type hash_policy;
int8_t max_lookups = detailv3::min_lookups - 1;
float _max_load_factor = 0.5f;
uint64_t num_elements = 0;
std::unique_ptr<sherwood_v3_entry<T>> sentinel_val;
EntryPointer sentinel = initSentinel();
EntryPointer initSentinel();
EntryPointer empty_default_table();
public:
};
}
struct fibonacci_hash_policy {
void reset();
private:
int8_t shift = 63;
};
template <
typename K,
typename V,
typename H = std::hash<K>,
typename E = std::equal_to<K>,
typename A = std::allocator<std::pair<K, V>>>
class order_preserving_flat_hash_map
: public detailv3::sherwood_v3_table<
std::pair<K, V>,
K,
H,
detailv3::KeyOrValueHasher<K, std::pair<K, V>, H>,
E,
detailv3::KeyOrValueEquality<K, std::pair<K, V>, E>,
A,
typename std::allocator_traits<A>::template rebind_alloc<
detailv3::sherwood_v3_entry<std::pair<K, V>>>> {
using Table = detailv3::sherwood_v3_table<
std::pair<K, V>,
K,
H,
detailv3::KeyOrValueHasher<K, std::pair<K, V>, H>,
E,
detailv3::KeyOrValueEquality<K, std::pair<K, V>, E>,
A,
typename std::allocator_traits<A>::template rebind_alloc<
detailv3::sherwood_v3_entry<std::pair<K, V>>>>;
public:
using key_type = K;
using Table::Table;
order_preserving_flat_hash_map() = default;
inline V& operator[](const K& key);
inline V& operator[](K&& key);
V& at(const K& key);
const V& at(const K& key) const;
using Table::emplace;
std::pair<typename Table::iterator, bool> emplace();
private:
};
}
