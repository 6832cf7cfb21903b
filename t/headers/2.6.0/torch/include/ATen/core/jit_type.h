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
inline bool operator!=(const Type& lhs, const Type& rhs);
struct __attribute__((__visibility__("default"))) Stride {
Stride() = default;
Stride(
const std::optional<size_t>& stride_index,
std::optional<bool> contiguous,
const std::optional<size_t>& stride);
bool operator==(const Stride& b) const;
std::optional<size_t> stride_index_;
std::optional<bool> contiguous_;
std::optional<size_t> stride_;
};
struct __attribute__((__visibility__("default"))) ShapeSymbol {
ShapeSymbol();
bool operator==(const ShapeSymbol& b) const;
bool operator<(const ShapeSymbol& b) const;
int64_t value() const;
friend __attribute__((__visibility__("default"))) std::ostream& operator<<(
std::ostream& os,
const ShapeSymbol& s);
private:
ShapeSymbol(int64_t val);
int64_t value_;
};
struct __attribute__((__visibility__("default"))) SymbolicShape {
SymbolicShape();
SymbolicShape(std::optional<size_t> rank);
SymbolicShape(const std::vector<std::optional<int64_t>>& dims);
SymbolicShape(std::vector<ShapeSymbol> dims);
SymbolicShape(c10::IntArrayRef dims);
ShapeSymbol operator[](size_t i) const;
ShapeSymbol at(size_t i) const;
std::optional<size_t> rank() const;
std::optional<std::vector<ShapeSymbol>> sizes() const;
private:
std::optional<std::vector<ShapeSymbol>> dims_;
};
template <typename T>
struct VaryingShape {
using ListOfOptionalElements = std::vector<std::optional<T>>;
VaryingShape(const std::vector<T>& vec);
VaryingShape(c10::ArrayRef<T> vec);
VaryingShape(std::optional<size_t> size = std::nullopt);
VaryingShape(ListOfOptionalElements dims);
VaryingShape(size_t size);
bool operator==(const VaryingShape& other) const;
const std::optional<T> &operator[](size_t i) const;
std::optional<size_t> size() const;
const std::optional<ListOfOptionalElements>& sizes() const;
private:
std::optional<ListOfOptionalElements> dims_;
};
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
__attribute__((__visibility__("default"))) std::ostream& operator<<(std::ostream& out, const Type& t);
template <typename T>
__attribute__((__visibility__("default"))) std::ostream& operator<<(
std::ostream& out,
const VaryingShape<T>& t);
__attribute__((__visibility__("default"))) std::ostream& operator<<(std::ostream& os, const SymbolicShape& s);
__attribute__((__visibility__("default"))) std::ostream& operator<<(std::ostream& os, const ShapeSymbol& s);
__attribute__((__visibility__("default"))) std::ostream& operator<<(std::ostream& os, const Stride& s);
}
