#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Exception.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <vector>
namespace c10 {
template <typename T>
class HeaderOnlyArrayRef {
public:
using iterator = const T*;
using const_iterator = const T*;
using size_type = size_t;
using value_type = T;
protected:
const T* Data;
size_type Length;
public:
constexpr HeaderOnlyArrayRef() : Data(nullptr), Length(0) {}
constexpr HeaderOnlyArrayRef(const T& OneElt) : Data(&OneElt), Length(1) {}
constexpr HeaderOnlyArrayRef(const T* data, size_t length)
: Data(data), Length(length) {}
constexpr HeaderOnlyArrayRef(const T* begin, const T* end)
: Data(begin), Length(end - begin) {}
template <
typename Container,
typename U = decltype(std::declval<Container>().data()),
typename = std::enable_if_t<
(std::is_same_v<U, T*> || std::is_same_v<U, T const*>)>>
HeaderOnlyArrayRef(const Container& container);
template <typename A>
HeaderOnlyArrayRef(const std::vector<T, A>& Vec);
template <size_t N>
constexpr HeaderOnlyArrayRef(const std::array<T, N>& Arr)
: Data(Arr.data()), Length(N) {}
template <size_t N>
constexpr HeaderOnlyArrayRef(const T (&Arr)[N])
: Data(Arr), Length(N) {}
constexpr HeaderOnlyArrayRef(
const std::initializer_list<T>& Vec)
: Data(
std::begin(Vec) == std::end(Vec) ? static_cast<T*>(nullptr)
: std::begin(Vec)),
Length(Vec.size()) {}
constexpr iterator begin() const {
return this->Data;
}
constexpr iterator end() const {
return this->Data + this->Length;
}
constexpr const_iterator cbegin() const {
return this->Data;
}
constexpr const_iterator cend() const {
return this->Data + this->Length;
}
constexpr bool empty() const {
return this->Length == 0;
}
constexpr const T* data() const {
return this->Data;
}
constexpr size_t size() const {
return this->Length;
}
constexpr const T& operator[](size_t Index) const {
return this->Data[Index];
}
constexpr const T& at(size_t Index) const {
if ((__builtin_expect(static_cast<bool>(!(Index < this->Length)), 0))) { throw std::runtime_error((torch::headeronly::detail::stdTorchCheckMsgImpl( "Expected " "Index < this->Length" " to be true, but got false. " "(Could this error message be improved? If so, " "please report an enhancement request to PyTorch.)", __func__, ", ", "/work/main/build/venv-2.11.0/lib/python3.11/site-packages/torch/include/torch/headeronly/util/HeaderOnlyArrayRef.h", ":", 212, ", ", "HeaderOnlyArrayRef: invalid index Index = ", Index, "; Length = ", this->Length))); };
return this->Data[Index];
}
template <typename U>
std::enable_if_t<std::is_same_v<U, T>, HeaderOnlyArrayRef<T>>& operator=(
U&& Temporary) = delete;
template <typename U>
std::enable_if_t<std::is_same_v<U, T>, HeaderOnlyArrayRef<T>>& operator=(
std::initializer_list<U>) = delete;
std::vector<T> vec() const;
};
}
namespace torch::headeronly {
using c10::HeaderOnlyArrayRef;
}
