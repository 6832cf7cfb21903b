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
}
