#pragma once
#include <c10/util/TypeSafeSignMath.h>
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <type_traits>
namespace c10 {
namespace detail {
template <
typename I,
bool one_sided = false,
std::enable_if_t<std::is_integral_v<I>, int> = 0>
struct integer_iterator {
using iterator_category = std::input_iterator_tag;
using value_type = I;
using difference_type = std::ptrdiff_t;
using pointer = I*;
using reference = I&;
explicit integer_iterator(I value);
I operator*() const;
I const* operator->() const;
integer_iterator& operator++();
integer_iterator operator++(int);
bool operator==(const integer_iterator& other) const;
bool operator!=(const integer_iterator& other) const;
protected:
I value;
};
}
template <
typename I,
bool one_sided = false,
std::enable_if_t<std::is_integral_v<I>, bool> = true>
struct integer_range {
public:
integer_range(I begin, I end);
using iterator = detail::integer_iterator<I, one_sided>;
iterator begin() const;
iterator end() const;
private:
iterator begin_;
iterator end_;
};
template <
typename Integer1,
typename Integer2,
std::enable_if_t<std::is_integral_v<Integer1>, bool> = true,
std::enable_if_t<std::is_integral_v<Integer2>, bool> = true>
integer_range<Integer2> irange(Integer1 begin, Integer2 end);
template <
typename Integer,
std::enable_if_t<std::is_integral_v<Integer>, bool> = true>
integer_range<Integer, true> irange(Integer end);
}
