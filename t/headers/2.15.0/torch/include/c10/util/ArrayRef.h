#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/SmallVector.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <ostream>
#include <type_traits>
#include <vector>
namespace c10 {
template <typename T>
class ArrayRef : public HeaderOnlyArrayRef<T> {
public:
using HeaderOnlyArrayRef<T>::HeaderOnlyArrayRef;
template <typename U>
ArrayRef(const SmallVectorTemplateCommon<T, U>& Vec);
[[nodiscard]] constexpr const T& at(size_t Index) const {
if ((__builtin_expect(static_cast<bool>(!(Index < this->Length)), 0))) { throw std::runtime_error((::c10::detail::torchCheckMsgImpl( "Expected " "Index < this->Length" " to be true, but got false. " "(Could this error message be improved? If so, " "please report an enhancement request to PyTorch.)", __func__, ", ", "/work/w/venvs-golden/2.15.0/torch/include/c10/util/ArrayRef.h", ":", 142, ", ", "ArrayRef: invalid index Index = ", Index, "; Length = ", this->Length))); };
return this->Data[Index];
}
template <typename U>
std::enable_if_t<std::is_same_v<U, T>, ArrayRef<T>>& operator=(
U&& Temporary) = delete;
template <typename U>
std::enable_if_t<std::is_same_v<U, T>, ArrayRef<T>>& operator=(
std::initializer_list<U>) = delete;
};
template <typename T>
std::ostream& operator<<(std::ostream& out, ArrayRef<T> list);
using IntArrayRef = ArrayRef<int64_t>;
}
#include <ranges>
