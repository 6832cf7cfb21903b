#pragma once
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <c10/util/StringUtil.h>
#include <torch/headeronly/util/irange.h>
#include <string>
namespace c10 {
struct QualifiedName {
QualifiedName() = default;
QualifiedName(const std::string& name);
explicit QualifiedName(std::vector<std::string> atoms);
QualifiedName(const char* name);
explicit QualifiedName(const QualifiedName& prefix, std::string name);
const std::string& prefix() const;
const std::string& name() const;
const std::vector<std::string>& atoms() const;
bool operator==(const QualifiedName& other) const;
bool operator!=(const QualifiedName& other) const;
private:
std::vector<std::string> atoms_;
std::string qualifiedName_;
std::string prefix_;
std::string name_;
};
}
namespace std {
template <>
struct hash<c10::QualifiedName> {
size_t operator()(const c10::QualifiedName& n) const noexcept;
};
}
