#pragma once
#include <c10/util/StringUtil.h>
#include <torch/headeronly/util/irange.h>
#include <ATen/core/jit_type.h>
#include <ATen/core/symbol.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/alias_info.h>
#include <ATen/core/operator_name.h>
#include <ATen/core/dispatch/OperatorOptions.h>
#include <string_view>
#include <unordered_map>
#include <utility>
namespace c10 {
struct Argument;
struct FunctionSchema;
bool operator==(const Argument& lhs, const Argument& rhs);
struct __attribute__((__visibility__("default"))) Argument {
Argument(
std::string name = "",
const TypePtr& type = nullptr,
std::optional<int32_t> N = std::nullopt,
std::optional<IValue> default_value = std::nullopt,
bool kwarg_only = false,
std::optional<AliasInfo> alias_info = std::nullopt);
Argument(
std::string name,
TypePtr fake_type,
TypePtr real_type,
std::optional<int32_t> N = std::nullopt,
std::optional<IValue> default_value = std::nullopt,
bool kwarg_only = false,
std::optional<AliasInfo> alias_info = std::nullopt);
Argument(Argument&& rhs) noexcept = default;
Argument(const Argument& rhs);
Argument& operator=(Argument&& rhs) = default;
Argument& operator=(const Argument& rhs);
~Argument() = default;
const std::string& name() const;
const TypePtr& type() const;
const TypePtr& real_type() const;
const std::optional<int32_t>& N() const;
const std::optional<IValue>& default_value() const;
bool kwarg_only() const;
[[nodiscard]] const AliasInfo* alias_info() const;
private:
std::string name_;
TypePtr type_;
TypePtr real_type_;
std::optional<int32_t> N_;
std::optional<IValue> default_value_;
std::unique_ptr<AliasInfo> alias_info_;
bool kwarg_only_;
bool is_out_;
};
inline bool operator==(const Argument& lhs, const Argument& rhs);
inline bool operator!=(const Argument& lhs, const Argument& rhs);
enum struct __attribute__((__visibility__("default"))) SchemaArgType { input, output };
struct __attribute__((__visibility__("default"))) SchemaArgument {
SchemaArgType type;
size_t index;
SchemaArgument(SchemaArgType tpe, size_t idx);
bool operator==(const SchemaArgument& rhs) const = default;
};
bool operator==(const FunctionSchema& lhs, const FunctionSchema& rhs);
struct __attribute__((__visibility__("default"))) FunctionSchema {
FunctionSchema(
std::string name,
std::string overload_name,
std::vector<Argument> arguments,
std::vector<Argument> returns,
bool is_vararg = false,
bool is_varret = false);
FunctionSchema(
Symbol name,
std::string overload_name,
std::vector<Argument> arguments,
std::vector<Argument> returns,
bool is_vararg = false,
bool is_varret = false);
private:
OperatorName name_;
std::vector<Argument> arguments_;
std::vector<Argument> returns_;
bool is_vararg_;
bool is_varret_;
std::optional<AliasAnalysisKind> alias_kind_;
public:
const OperatorName& operator_name() const;
const std::string& name() const;
const std::string& overload_name() const;
const std::vector<Argument>& arguments() const;
const std::vector<Argument>& returns() const;
bool is_vararg() const;
bool is_varret() const;
};
inline bool operator==(const FunctionSchema& lhs, const FunctionSchema& rhs);
inline bool operator!=(const FunctionSchema& lhs, const FunctionSchema& rhs);
inline std::ostream& operator<<(std::ostream& out, const Argument& arg);
__attribute__((__visibility__("default"))) std::ostream& operator<<(std::ostream& out, const FunctionSchema& schema);
}
namespace std {
template<>
struct hash<c10::SchemaArgument> {
size_t operator()(const c10::SchemaArgument& arg) const;
};
template<>
struct hash<c10::Argument> {
size_t operator()(const c10::Argument& arg) const;
};
template<>
struct hash<c10::FunctionSchema> {
size_t operator()(const c10::FunctionSchema& schema) const;
};
}
#include <ATen/core/function_schema_inl.h>
