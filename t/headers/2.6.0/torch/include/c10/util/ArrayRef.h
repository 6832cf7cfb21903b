#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/SmallVector.h>
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
class ArrayRef final {
public:
using iterator = const T*;
using const_iterator = const T*;
using size_type = size_t;
using value_type = T;
private:
const T* Data;
size_type Length;
void debugCheckNullptrInvariant();
public:
constexpr ArrayRef() : Data(nullptr), Length(0) {}
constexpr ArrayRef(const T& OneElt) : Data(&OneElt), Length(1) {}
constexpr ArrayRef(const T* data, size_t length)
: Data(data), Length(length) {
debugCheckNullptrInvariant();
}
constexpr ArrayRef(const T* begin, const T* end)
: Data(begin), Length(end - begin) {
debugCheckNullptrInvariant();
}
template <typename U>
ArrayRef(const SmallVectorTemplateCommon<T, U>& Vec);
template <
typename Container,
typename U = decltype(std::declval<Container>().data()),
typename = std::enable_if_t<
(std::is_same_v<U, T*> || std::is_same_v<U, T const*>)>>
ArrayRef(const Container& container);
template <typename A>
ArrayRef(const std::vector<T, A>& Vec);
template <size_t N>
constexpr ArrayRef(const std::array<T, N>& Arr)
: Data(Arr.data()), Length(N) {}
template <size_t N>
constexpr ArrayRef(const T (&Arr)[N]) : Data(Arr), Length(N) {}
constexpr ArrayRef(const std::initializer_list<T>& Vec)
: Data(
std::begin(Vec) == std::end(Vec) ? static_cast<T*>(nullptr)
: std::begin(Vec)),
Length(Vec.size()) {}
constexpr iterator begin() const {
return Data;
}
constexpr iterator end() const {
return Data + Length;
}
constexpr const_iterator cbegin() const {
return Data;
}
constexpr const_iterator cend() const {
return Data + Length;
}
constexpr bool empty() const {
return Length == 0;
}
constexpr const T* data() const {
return Data;
}
constexpr size_t size() const {
return Length;
}
constexpr const T& operator[](size_t Index) const {
return Data[Index];
}
constexpr const T& at(size_t Index) const {
if ((__builtin_expect(static_cast<bool>(!(Index < Length)), 0))) { throw std::runtime_error((::c10::detail::torchCheckMsgImpl( "Expected " "Index < Length" " to be true, but got false. " "(Could this error message be improved? If so, " "please report an enhancement request to PyTorch.)", __func__, ", ", "/work/w/venvs-golden/2.6.0/torch/include/c10/util/ArrayRef.h", ":", 236, ", ", "ArrayRef: invalid index Index = ", Index, "; Length = ", Length))); };
return Data[Index];
}
template <typename U>
std::enable_if_t<std::is_same_v<U, T>, ArrayRef<T>>& operator=(
U&& Temporary) = delete;
template <typename U>
std::enable_if_t<std::is_same_v<U, T>, ArrayRef<T>>& operator=(
std::initializer_list<U>) = delete;
std::vector<T> vec() const;
};
template <typename T>
std::ostream& operator<<(std::ostream& out, ArrayRef<T> list);
template <typename T>
bool operator==(c10::ArrayRef<T> a1, c10::ArrayRef<T> a2);
template <typename T>
bool operator!=(c10::ArrayRef<T> a1, c10::ArrayRef<T> a2);
template <typename T>
bool operator==(const std::vector<T>& a1, c10::ArrayRef<T> a2);
template <typename T>
bool operator!=(const std::vector<T>& a1, c10::ArrayRef<T> a2);
template <typename T>
bool operator==(c10::ArrayRef<T> a1, const std::vector<T>& a2);
template <typename T>
bool operator!=(c10::ArrayRef<T> a1, const std::vector<T>& a2);
using IntArrayRef = ArrayRef<int64_t>;
}
