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
struct AnyType;
using AnyTypePtr = SingletonTypePtr<AnyType>;
struct __attribute__((__visibility__("default"))) AnyType : public Type {
std::string str() const override;
static AnyTypePtr get();
private:
AnyType();
};
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
struct AnyEnumType;
using AnyEnumTypePtr = SingletonTypePtr<AnyEnumType>;
struct __attribute__((__visibility__("default"))) AnyEnumType final : public Type {
std::string str() const override;
static AnyEnumTypePtr get();
private:
AnyEnumType();
};
struct NumberType;
using NumberTypePtr = SingletonTypePtr<NumberType>;
struct __attribute__((__visibility__("default"))) NumberType : public Type {
std::string str() const override;
static NumberTypePtr get();
protected:
NumberType(TypeKind kind = TypeKind::NumberType);
};
struct FloatType;
using FloatTypePtr = SingletonTypePtr<FloatType>;
struct __attribute__((__visibility__("default"))) FloatType : public NumberType {
std::string str() const override;
static FloatTypePtr get();
private:
FloatType();
};
struct ComplexType;
using ComplexTypePtr = SingletonTypePtr<ComplexType>;
struct __attribute__((__visibility__("default"))) ComplexType : public NumberType {
std::string str() const override;
static ComplexTypePtr get();
private:
ComplexType();
};
struct IntType;
using IntTypePtr = SingletonTypePtr<IntType>;
struct __attribute__((__visibility__("default"))) IntType : public NumberType {
std::string str() const override;
static IntTypePtr get();
private:
IntType();
};
struct BoolType;
using BoolTypePtr = SingletonTypePtr<BoolType>;
struct __attribute__((__visibility__("default"))) BoolType : public Type {
std::string str() const override;
static BoolTypePtr get();
private:
BoolType();
};
struct StringType;
using StringTypePtr = SingletonTypePtr<StringType>;
struct __attribute__((__visibility__("default"))) StringType : public Type {
std::string str() const override;
static StringTypePtr get();
private:
StringType();
};
struct StorageType;
using StorageTypePtr = SingletonTypePtr<StorageType>;
struct __attribute__((__visibility__("default"))) StorageType : public Type {
std::string str() const override;
static StorageTypePtr get();
private:
StorageType();
};
struct NoneType;
using NoneTypePtr = SingletonTypePtr<NoneType>;
struct __attribute__((__visibility__("default"))) NoneType : public Type {
std::string str() const override;
static NoneTypePtr get();
private:
NoneType();
};
struct GeneratorType;
using GeneratorTypePtr = SingletonTypePtr<GeneratorType>;
struct __attribute__((__visibility__("default"))) GeneratorType : public Type {
std::string str() const override;
static GeneratorTypePtr get();
private:
GeneratorType();
};
struct QuantizerType;
using QuantizerTypePtr = SingletonTypePtr<QuantizerType>;
struct __attribute__((__visibility__("default"))) QuantizerType : public Type {
std::string str() const override;
static QuantizerTypePtr get();
private:
QuantizerType();
};
struct QSchemeType;
using QSchemeTypePtr = SingletonTypePtr<QSchemeType>;
struct __attribute__((__visibility__("default"))) QSchemeType : public Type {
std::string str() const override;
static QSchemeTypePtr get();
private:
QSchemeType();
};
struct DeviceObjType;
using DeviceObjTypePtr = SingletonTypePtr<DeviceObjType>;
struct __attribute__((__visibility__("default"))) DeviceObjType : public Type {
std::string str() const override;
static DeviceObjTypePtr get();
private:
DeviceObjType();
};
struct StreamObjType;
using StreamObjTypePtr = SingletonTypePtr<StreamObjType>;
struct __attribute__((__visibility__("default"))) StreamObjType : public Type {
std::string str() const override;
static StreamObjTypePtr get();
private:
StreamObjType();
};
struct CapsuleType;
using CapsuleTypePtr = SingletonTypePtr<CapsuleType>;
struct __attribute__((__visibility__("default"))) CapsuleType : public Type {
std::string str() const override;
static CapsuleTypePtr get();
private:
CapsuleType();
};
struct PyObjectType;
using PyObjectTypePtr = SingletonTypePtr<PyObjectType>;
struct __attribute__((__visibility__("default"))) PyObjectType : public Type {
std::string str() const override;
static PyObjectTypePtr get();
private:
PyObjectType();
};
__attribute__((__visibility__("default"))) std::ostream& operator<<(std::ostream& out, const Type& t);
template <typename T>
__attribute__((__visibility__("default"))) std::ostream& operator<<(
std::ostream& out,
const VaryingShape<T>& t);
__attribute__((__visibility__("default"))) std::ostream& operator<<(std::ostream& os, const SymbolicShape& s);
__attribute__((__visibility__("default"))) std::ostream& operator<<(std::ostream& os, const ShapeSymbol& s);
__attribute__((__visibility__("default"))) std::ostream& operator<<(std::ostream& os, const Stride& s);
template <TypeKind K>
struct EnumerationType : public Type {
protected:
EnumerationType();
};
struct ScalarTypeType;
using ScalarTypeTypePtr = SingletonTypePtr<ScalarTypeType>;
struct __attribute__((__visibility__("default"))) ScalarTypeType : public EnumerationType<TypeKind::ScalarTypeType> {
std::string str() const override;
static ScalarTypeTypePtr get();
private:
ScalarTypeType();
};
struct MemoryFormatType;
using MemoryFormatTypePtr = SingletonTypePtr<MemoryFormatType>;
struct __attribute__((__visibility__("default"))) MemoryFormatType : public EnumerationType<TypeKind::MemoryFormatType> {
std::string str() const override;
static MemoryFormatTypePtr get();
private:
MemoryFormatType();
};
struct LayoutType;
using LayoutTypePtr = SingletonTypePtr<LayoutType>;
struct __attribute__((__visibility__("default"))) LayoutType : public EnumerationType<TypeKind::LayoutType> {
std::string str() const override;
static LayoutTypePtr get();
private:
LayoutType();
};
struct AnyListType;
using AnyListTypePtr = SingletonTypePtr<AnyListType>;
struct __attribute__((__visibility__("default"))) AnyListType : public Type {
std::string str() const override;
static AnyListTypePtr get();
private:
AnyListType();
};
struct AnyTupleType;
using AnyTupleTypePtr = SingletonTypePtr<AnyTupleType>;
struct __attribute__((__visibility__("default"))) AnyTupleType : public Type {
std::string str() const override;
static AnyTupleTypePtr get();
private:
AnyTupleType();
};
struct AnyClassType;
using AnyClassTypePtr = SingletonTypePtr<AnyClassType>;
struct __attribute__((__visibility__("default"))) AnyClassType : public Type {
std::string str() const override;
static AnyClassTypePtr get();
private:
AnyClassType();
};
}
