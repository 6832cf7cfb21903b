#pragma once
#include <ATen/core/custom_class.h>
#include <ATen/core/jit_type_base.h>
#include <ATen/core/TensorBody.h>
#include <ATen/core/functional.h>
#include <ATen/core/symbol.h>
#include <ATen/core/type_factory.h>
#include <ATen/core/qualified_name.h>
#include <c10/util/TypeList.h>
#include <optional>
#include <c10/core/SymFloat.h>
#include <c10/core/SymBool.h>
#include <c10/core/Device.h>
#include <array>
#include <memory>
#include <ostream>
#include <sstream>
#include <utility>
namespace c10 {
template<class Key, class Value>
class Dict;
struct IValue;
struct FunctionSchema;
struct NamedType;
struct TupleType;
struct __attribute__((__visibility__("default"))) TupleType : public NamedType {
at::ArrayRef<TypePtr> elements() const;
std::string str() const override;
const std::shared_ptr<FunctionSchema>& schema() const;
private:
TupleType(
std::vector<TypePtr> elements_,
std::optional<c10::QualifiedName> name,
std::shared_ptr<FunctionSchema> schema);
std::vector<TypePtr> elements_;
bool has_free_variables_;
std::shared_ptr<FunctionSchema> schema_;
};
}
