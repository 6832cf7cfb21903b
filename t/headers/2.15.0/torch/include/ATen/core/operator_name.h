#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <c10/util/Exception.h>
#include <cstring>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
namespace c10 {
struct OperatorName final {
std::string name;
std::string overload_name;
OperatorName(std::string name, std::string overload_name);
};
inline bool operator==(const OperatorName& lhs, const OperatorName& rhs);
inline bool operator!=(const OperatorName& lhs, const OperatorName& rhs);
__attribute__((__visibility__("default"))) std::ostream& operator<<(std::ostream& , const OperatorName& );
}
namespace std {
template <>
struct hash<::c10::OperatorName> {
size_t operator()(const ::c10::OperatorName& x) const noexcept;
};
}
