#pragma once
#include <c10/core/DispatchKeySet.h>
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Metaprogramming.h>
#include <c10/util/Type.h>
#include <cstring>
#include <typeindex>
namespace c10::impl {
class __attribute__((__visibility__("default"))) CppSignature final {
public:
CppSignature(const CppSignature&) = default;
CppSignature(CppSignature&&) noexcept = default;
CppSignature& operator=(const CppSignature&) = default;
CppSignature& operator=(CppSignature&&) noexcept = default;
std::string name() const;
private:
explicit CppSignature(std::type_index signature);
std::type_index signature_;
};
inline bool operator!=(const CppSignature& lhs, const CppSignature& rhs);
}
