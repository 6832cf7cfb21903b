#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>
#include <torch/headeronly/macros/Macros.h>
#include <c10/util/Exception.h>
#include <torch/headeronly/util/Half.h>
#include <ATen/cpu/vec/vec_half.h>
#include <c10/util/IdWrapper.h>
#include <c10/util/TypeIndex.h>
#include <torch/headeronly/util/TypeTraits.h>
#include <c10/util/irange.h>
#include <c10/core/ScalarType.h>
namespace caffe2 {
class __attribute__((__visibility__("default"))) TypeIdentifier final
: public at::IdWrapper<TypeIdentifier, c10::util::type_index> {
public:
friend std::ostream& operator<<(std::ostream& stream, TypeIdentifier typeId);
friend constexpr bool operator<(TypeIdentifier lhs, TypeIdentifier rhs);
static constexpr TypeIdentifier uninitialized() {
return TypeIdentifier(c10::util::type_index{0});
}
private:
constexpr explicit TypeIdentifier(c10::util::type_index id) : IdWrapper(id) {}
};
inline constexpr bool operator<(TypeIdentifier lhs, TypeIdentifier rhs) {
return lhs.underlyingId() < rhs.underlyingId();
}
inline std::ostream& operator<<(
std::ostream& stream,
caffe2::TypeIdentifier typeId);
}
namespace caffe2 {
namespace detail {
struct TypeMetaData final {
using New = void*();
using PlacementNew = void(void*, size_t);
using Copy = void(const void*, void*, size_t);
using PlacementDelete = void(void*, size_t);
using Delete = void(void*);
constexpr TypeMetaData() noexcept
: itemsize_(0),
new_(nullptr),
placementNew_(nullptr),
copy_(nullptr),
placementDelete_(nullptr),
delete_(nullptr),
id_(TypeIdentifier::uninitialized()),
name_("nullptr (uninitialized)") {}
constexpr TypeMetaData(
size_t itemsize,
New* newFn,
PlacementNew* placementNew,
Copy* copy,
PlacementDelete* placementDelete,
Delete* deleteFn,
TypeIdentifier id,
std::string_view name) noexcept
: itemsize_(itemsize),
new_(newFn),
placementNew_(placementNew),
copy_(copy),
placementDelete_(placementDelete),
delete_(deleteFn),
id_(id),
name_(name) {}
size_t itemsize_;
New* new_;
PlacementNew* placementNew_;
Copy* copy_;
PlacementDelete* placementDelete_;
Delete* delete_;
TypeIdentifier id_;
std::string_view name_;
};
}
class __attribute__((__visibility__("default"))) TypeMeta final {
public:
using New = detail::TypeMetaData::New;
using PlacementNew = detail::TypeMetaData::PlacementNew;
using Copy = detail::TypeMetaData::Copy;
using PlacementDelete = detail::TypeMetaData::PlacementDelete;
using Delete = detail::TypeMetaData::Delete;
TypeMeta() noexcept;
~TypeMeta() = default;
TypeMeta(const TypeMeta& src) noexcept = default;
TypeMeta& operator=(const TypeMeta& src) noexcept = default;
TypeMeta& operator=(TypeMeta&& src) noexcept = default;
TypeMeta(TypeMeta&& rhs) noexcept = default;
inline TypeMeta& operator=(ScalarType scalar_type) noexcept;
private:
explicit TypeMeta(const uint16_t index) noexcept;
public:
TypeIdentifier id() const noexcept;
inline size_t itemsize() const noexcept;
New* newFn() const noexcept;
PlacementNew* placementNew() const noexcept;
Copy* copy() const noexcept;
PlacementDelete* placementDelete() const noexcept;
Delete* deleteFn() const noexcept;
std::string_view name() const noexcept;
friend bool operator==(const TypeMeta& lhs, const TypeMeta& rhs) noexcept;
private:
public:
private:
uint16_t index_;
inline const detail::TypeMetaData& data() const;
};
inline bool operator==(const TypeMeta& lhs, const TypeMeta& rhs) noexcept;
inline bool operator!=(const TypeMeta& lhs, const TypeMeta& rhs) noexcept;
inline std::ostream& operator<<(
std::ostream& stream,
caffe2::TypeMeta typeMeta);
}
