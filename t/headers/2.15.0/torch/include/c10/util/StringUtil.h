#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <c10/util/string_utils.h>
#include <cstddef>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>
namespace c10 {
namespace detail {
struct CompileTimeEmptyString {
operator const std::string&() const;
operator const char*() const;
};
template <typename T>
struct CanonicalizeStrTypes {
using type = const T&;
};
template <size_t N>
struct CanonicalizeStrTypes<char[N]> {
using type = const char*;
};
template <typename... Args>
struct _str_wrapper final {
static std::string call(const Args&... args);
};
template <>
struct _str_wrapper<std::string> final {
static const std::string& call(const std::string& str);
};
template <>
struct _str_wrapper<const char*> final {
static const char* call(const char* str);
};
template <>
struct _str_wrapper<> final {
static CompileTimeEmptyString call();
};
}
template <typename... Args>
[[nodiscard]] inline auto str(const Args&... args) {
return detail::_str_wrapper<
typename detail::CanonicalizeStrTypes<Args>::type...>::call(args...);
}
struct __attribute__((__visibility__("default"))) SourceLocation {
const char* function;
const char* file;
uint32_t line;
[[nodiscard]] static constexpr SourceLocation current(
const char* file = __builtin_FILE(),
const char* function = __builtin_FUNCTION(),
const std::uint_least32_t line = __builtin_LINE()) noexcept {
return {.function = function, .file = file, .line = line};
}
};
std::ostream& operator<<(std::ostream& out, const SourceLocation& loc);
}
