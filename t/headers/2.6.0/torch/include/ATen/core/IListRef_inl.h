#pragma once
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
namespace at {
class Tensor;
class OptionalTensorRef;
}
namespace c10::detail {
template <typename T, typename ListElemT>
class IListRefTagImplBase<IListRefTag::Unboxed, T, ListElemT> {
public:
using elem_type = ListElemT;
using list_type = ArrayRef<elem_type>;
};
template <typename T, typename ListElemT>
class IListRefTagImplBase<IListRefTag::Boxed, T, ListElemT> {
public:
using elem_type = ListElemT;
using list_type = List<elem_type>;
};
template <typename T>
class IListRefTagImplBase<IListRefTag::Materialized, T, MaterializedIListRefElem<T>> {
public:
using elem_type = MaterializedIListRefElem<T>;
using list_type = MaterializedIListRef<T>;
};
template <>
class IListRefTagImpl<IListRefTag::Unboxed, at::Tensor>
: public IListRefTagImplBase<IListRefTag::Unboxed, at::Tensor> {
};
template <>
class IListRefTagImpl<IListRefTag::Boxed, at::Tensor>
: public IListRefTagImplBase<IListRefTag::Boxed, at::Tensor> {
};
template <>
class IListRefTagImpl<IListRefTag::Materialized, at::Tensor>
: public IListRefTagImplBase<
IListRefTag::Materialized,
at::Tensor,
MaterializedIListRefElem<at::Tensor>> {
};
template <>
class IListRefTagImpl<IListRefTag::Unboxed, at::OptionalTensorRef>
: public IListRefTagImplBase<IListRefTag::Unboxed, at::OptionalTensorRef> {
};
template <>
class IListRefTagImpl<IListRefTag::Boxed, at::OptionalTensorRef>
: public IListRefTagImplBase<IListRefTag::Boxed, at::OptionalTensorRef, std::optional<at::Tensor>> {
public:
};
template <>
class IListRefTagImpl<IListRefTag::Materialized, at::OptionalTensorRef>
: public IListRefTagImplBase<
IListRefTag::Materialized,
at::OptionalTensorRef,
MaterializedIListRefElem<at::OptionalTensorRef>> {
};
}
