#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <c10/util/AlignOf.h>
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <ostream>
#include <type_traits>
#include <utility>
namespace c10 {
template <class Size_T>
class __attribute__((__visibility__("default"))) SmallVectorBase {
protected:
void* BeginX;
Size_T Size = 0, Capacity;
SmallVectorBase(void* FirstEl, size_t TotalCapacity);
public:
SmallVectorBase() = delete;
size_t size() const;
size_t capacity() const;
[[nodiscard]] bool empty() const;
};
template <class T>
using SmallVectorSizeType =
std::conditional_t<sizeof(T) < 4 && sizeof(void*) >= 8, uint64_t, uint32_t>;
template <typename T, typename = void>
class SmallVectorTemplateCommon
: public SmallVectorBase<SmallVectorSizeType<T>> {
using Base = SmallVectorBase<SmallVectorSizeType<T>>;
protected:
SmallVectorTemplateCommon(size_t Size);
public:
using size_type = size_t;
using value_type = T;
using iterator = T*;
using const_iterator = const T*;
using reference = T&;
using const_reference = const T&;
using pointer = T*;
using const_pointer = const T*;
using Base::capacity;
using Base::empty;
using Base::size;
iterator begin();
const_iterator begin() const;
iterator end();
const_iterator end() const;
pointer data();
const_pointer data() const;
reference at(size_type idx);
const_reference at(size_type idx) const;
reference operator[](size_type idx);
const_reference operator[](size_type idx) const;
};
template <
typename T,
bool = (std::is_trivially_copy_constructible_v<T>) &&
(std::is_trivially_move_constructible_v<T>) &&
std::is_trivially_destructible_v<T>>
class SmallVectorTemplateBase : public SmallVectorTemplateCommon<T> {
friend class SmallVectorTemplateCommon<T>;
protected:
static constexpr bool TakesParamByValue = false;
using ValueParamT = const T&;
SmallVectorTemplateBase(size_t Size);
public:
void push_back(const T& Elt);
void push_back(T&& Elt);
};
template <typename T>
class SmallVectorTemplateBase<T, true> : public SmallVectorTemplateCommon<T> {
friend class SmallVectorTemplateCommon<T>;
protected:
static constexpr bool TakesParamByValue = sizeof(T) <= 2 * sizeof(void*);
using ValueParamT = std::conditional_t<TakesParamByValue, T, const T&>;
SmallVectorTemplateBase(size_t Size);
public:
void push_back(ValueParamT Elt);
};
template <typename T>
class SmallVectorImpl : public SmallVectorTemplateBase<T> {
using SuperClass = SmallVectorTemplateBase<T>;
public:
using iterator = typename SuperClass::iterator;
using const_iterator = typename SuperClass::const_iterator;
using reference = typename SuperClass::reference;
using size_type = typename SuperClass::size_type;
protected:
using SmallVectorTemplateBase<T>::TakesParamByValue;
using ValueParamT = typename SuperClass::ValueParamT;
explicit SmallVectorImpl(unsigned N);
public:
SmallVectorImpl(const SmallVectorImpl&) = delete;
~SmallVectorImpl();
void clear();
private:
public:
void reserve(size_type N);
private:
public:
SmallVectorImpl& operator=(const SmallVectorImpl& RHS);
SmallVectorImpl& operator=(SmallVectorImpl&& RHS) noexcept(
std::is_nothrow_move_constructible_v<T> &&
std::is_nothrow_destructible_v<T>);
bool operator==(const SmallVectorImpl& RHS) const;
bool operator!=(const SmallVectorImpl& RHS) const;
bool operator<(const SmallVectorImpl& RHS) const;
};
template <typename T, unsigned N>
struct SmallVectorStorage {
alignas(T) char InlineElts[N * sizeof(T)];
};
template <typename T>
struct alignas(T) SmallVectorStorage<T, 0> {
};
template <typename T, unsigned N>
class SmallVector;
template <typename T>
struct CalculateSmallVectorDefaultInlinedElements {
static constexpr size_t kPreferredSmallVectorSizeof = 64;
static constexpr size_t PreferredInlineBytes =
kPreferredSmallVectorSizeof - sizeof(SmallVector<T, 0>);
static constexpr size_t NumElementsThatFit = PreferredInlineBytes / sizeof(T);
static constexpr size_t value =
NumElementsThatFit == 0 ? 1 : NumElementsThatFit;
};
template <
typename T,
unsigned N = CalculateSmallVectorDefaultInlinedElements<T>::value>
class SmallVector : public SmallVectorImpl<T>,
SmallVectorStorage<T, N> {
public:
SmallVector();
~SmallVector();
explicit SmallVector(size_t Size, const T& Value = T());
template <
typename ItTy,
typename = std::enable_if_t<std::is_convertible_v<
typename std::iterator_traits<ItTy>::iterator_category,
std::input_iterator_tag>>>
SmallVector(ItTy S, ItTy E);
template <
typename Container,
std::enable_if_t<
std::is_convertible_v<
typename std::iterator_traits<
decltype(std::declval<Container>()
.begin())>::iterator_category,
std::input_iterator_tag> &&
std::is_convertible_v<
typename std::iterator_traits<
decltype(std::declval<Container>()
.end())>::iterator_category,
std::input_iterator_tag>,
int> = 0>
explicit SmallVector(Container&& c);
SmallVector(std::initializer_list<T> IL);
SmallVector(const SmallVector& RHS);
SmallVector& operator=(const SmallVector& RHS);
SmallVector(SmallVector&& RHS) noexcept(
std::is_nothrow_move_assignable_v<SmallVectorImpl<T>>);
template <
typename Container,
std::enable_if_t<
std::is_convertible_v<
typename std::iterator_traits<
decltype(std::declval<Container>()
.begin())>::iterator_category,
std::input_iterator_tag> &&
std::is_convertible_v<
typename std::iterator_traits<
decltype(std::declval<Container>()
.end())>::iterator_category,
std::input_iterator_tag>,
int> = 0>
SmallVector& operator=(const Container& RHS);
SmallVector(SmallVectorImpl<T>&& RHS) noexcept(
std::is_nothrow_move_assignable_v<SmallVectorImpl<T>>);
SmallVector& operator=(SmallVector&& RHS) noexcept(
std::is_nothrow_move_assignable_v<SmallVectorImpl<T>>);
SmallVector& operator=(SmallVectorImpl<T>&& RHS) noexcept(
std::is_nothrow_move_constructible_v<SmallVectorImpl<T>>);
template <
typename Container,
std::enable_if_t<
std::is_convertible_v<
typename std::iterator_traits<
decltype(std::declval<Container>()
.begin())>::iterator_category,
std::input_iterator_tag> &&
std::is_convertible_v<
typename std::iterator_traits<
decltype(std::declval<Container>()
.end())>::iterator_category,
std::input_iterator_tag>,
int> = 0>
SmallVector& operator=(Container&& C);
SmallVector& operator=(std::initializer_list<T> IL);
};
template <typename T, unsigned N>
std::ostream& operator<<(std::ostream& out, const SmallVector<T, N>& list);
}
