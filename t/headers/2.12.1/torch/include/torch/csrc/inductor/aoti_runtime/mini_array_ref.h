#pragma once
#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <vector>
namespace torch::aot_inductor {
template <typename T>
class MiniArrayRef final {
public:
using iterator = T*;
using const_iterator = const T*;
using size_type = size_t;
using value_type = T;
private:
T* Data;
size_type Length;
public:
constexpr MiniArrayRef() : Data(nullptr), Length(0) {}
constexpr MiniArrayRef(const T& OneElt) : Data(&OneElt), Length(1) {}
constexpr MiniArrayRef(T* data, size_t length) : Data(data), Length(length) {}
constexpr MiniArrayRef(T* begin, T* end) : Data(begin), Length(end - begin) {}
template <
typename Container,
typename = std::enable_if_t<std::is_same_v<
std::remove_const_t<decltype(std::declval<Container>().data())>,
T*>>>
MiniArrayRef(Container& container);
template <typename A>
MiniArrayRef(const std::vector<T, A>& Vec);
template <size_t N>
constexpr MiniArrayRef(std::array<T, N>& Arr)
: Data(Arr.data()), Length(N) {}
template <size_t N>
constexpr MiniArrayRef(T (&Arr)[N]) : Data(Arr), Length(N) {}
constexpr MiniArrayRef(const volatile void* Arr)
: Data(nullptr), Length(0) {}
constexpr MiniArrayRef(const std::initializer_list<T>& Vec)
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
constexpr T* data() const {
return Data;
}
constexpr size_t size() const {
return Length;
}
constexpr const T& operator[](size_t Index) const {
return Data[Index];
}
template <typename U>
std::enable_if_t<std::is_same_v<U, T>, MiniArrayRef<T>>& operator=(
U&& Temporary) = delete;
template <typename U>
std::enable_if_t<std::is_same_v<U, T>, MiniArrayRef<T>>& operator=(
std::initializer_list<U>) = delete;
};
}
