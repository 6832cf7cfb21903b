#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <c10/macros/Macros.h>
namespace c10 {
template <class CharT>
class basic_string_view final {
public:
using value_type = CharT;
using pointer = CharT*;
using const_pointer = const CharT*;
using reference = CharT&;
using const_reference = const CharT&;
using const_iterator = const CharT*;
using iterator = const_iterator;
using size_type = std::size_t;
constexpr basic_string_view() noexcept : begin_(nullptr) {}
explicit constexpr basic_string_view(const_pointer str, size_type count)
: begin_(str), size_(count) {}
constexpr basic_string_view(const_pointer str)
: basic_string_view(str, strlen_(str)) {}
basic_string_view(const ::std::basic_string<CharT>& str);
constexpr basic_string_view(
const ::std::basic_string_view<CharT>& str)
: basic_string_view(str.data(), str.size()) {}
constexpr basic_string_view(const basic_string_view&) noexcept = default;
constexpr basic_string_view& operator=(
const basic_string_view& rhs) noexcept = default;
constexpr operator ::std::basic_string_view<CharT>() const {
return ::std::basic_string_view<CharT>(data(), size());
}
explicit operator ::std::basic_string<CharT>() const;
constexpr const_iterator begin() const noexcept {
return cbegin();
}
constexpr const_iterator cbegin() const noexcept {
return begin_;
}
constexpr const_iterator end() const noexcept {
return cend();
}
constexpr const_iterator cend() const noexcept {
return begin_ + size_;
}
constexpr const_reference operator[](size_type pos) const {
return at_(pos);
}
constexpr const_reference at(size_type pos) const {
return (__builtin_expect(static_cast<bool>(pos >= size_), 0))
? (throw std::out_of_range(
"string_view::operator[] or string_view::at() out of range. Index: " +
std::to_string(pos) + ", size: " + std::to_string(size())),
at_(0))
: at_(pos);
}
constexpr const_pointer data() const noexcept {
return begin_;
}
constexpr size_type size() const noexcept {
return size_;
}
constexpr size_type length() const noexcept {
return size();
}
[[nodiscard]] constexpr bool empty() const noexcept {
return size() == 0;
}
size_type copy(pointer dest, size_type count, size_type pos = 0) const;
private:
static constexpr size_type strlen_(const_pointer str) noexcept {
const_pointer current = str;
while (*current != '\0') {
++current;
}
return current - str;
}
constexpr const_reference at_(size_type pos) const noexcept {
return *(begin_ + pos);
}
const_pointer begin_;
size_type size_{};
};
template <class CharT>
inline std::basic_ostream<CharT>& operator<<(
std::basic_ostream<CharT>& stream,
basic_string_view<CharT> sv);
using string_view = std::string_view;
}
