#pragma once
#include <cstddef>
#include <functional>
#include <utility>
namespace c10 {
template <class ConcreteType, class UnderlyingType>
class IdWrapper {
public:
using underlying_type = UnderlyingType;
protected:
constexpr explicit IdWrapper(underlying_type id) noexcept(
noexcept(underlying_type(std::declval<underlying_type>())))
: id_(id) {}
constexpr underlying_type underlyingId() const
noexcept(noexcept(underlying_type(std::declval<underlying_type>()))) {
return id_;
}
private:
underlying_type id_;
};
}
