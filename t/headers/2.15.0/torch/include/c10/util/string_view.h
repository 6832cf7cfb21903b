#pragma once
#include <algorithm>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <torch/headeronly/macros/Macros.h>
namespace c10 {
template <class CharT>
class basic_string_view final : public std::basic_string_view<CharT> {
public:
using Base = std::basic_string_view<CharT>;
using typename Base::size_type;
using Base::Base;
constexpr basic_string_view(Base sv) noexcept : Base(sv) {}
[[nodiscard]] constexpr explicit operator std::basic_string<CharT>() const {
return std::basic_string<CharT>(static_cast<const Base&>(*this));
}
};
template <class CharT>
inline std::basic_ostream<CharT>& operator<<(
std::basic_ostream<CharT>& stream,
basic_string_view<CharT> sv);
using string_view = std::string_view;
}
namespace std {
template <class CharT>
struct hash<::c10::basic_string_view<CharT>> {
size_t operator()(::c10::basic_string_view<CharT> x) const;
};
}
