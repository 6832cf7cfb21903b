#pragma once
#include <ATen/core/symbol.h>
#include <c10/util/ArrayRef.h>
#include <optional>
#include <ostream>
namespace at {
enum class NameType: uint8_t { BASIC, WILDCARD };
struct __attribute__((__visibility__("default"))) Dimname {
NameType type() const;
private:
Dimname(Symbol name);
Dimname(Symbol name, NameType type);
Symbol name_;
NameType type_;
};
using DimnameList = c10::ArrayRef<Dimname>;
__attribute__((__visibility__("default"))) std::ostream& operator<<(std::ostream& out, const Dimname& dimname);
inline bool operator==(const Dimname& lhs, const Dimname& rhs);
inline bool operator!=(const Dimname& lhs, const Dimname& rhs);
}
