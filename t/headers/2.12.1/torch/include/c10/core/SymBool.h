#pragma once
#include <c10/core/SymNodeImpl.h>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>
#include <cstdint>
#include <optional>
#include <ostream>
#include <utility>
namespace c10 {
class SymInt;
class __attribute__((__visibility__("default"))) SymBool {
public:
SymBool(bool b);
SymBool(SymNode ptr);
SymBool();
SymNodeImpl* release() &&;
SymBool operator&(const SymBool& other) const;
SymBool operator|(const SymBool& other) const;
SymBool operator||(const SymBool& other) const;
SymBool operator~() const;
private:
bool data_;
SymNode ptr_;
};
__attribute__((__visibility__("default"))) std::ostream& operator<<(std::ostream& os, const SymBool& s);
}
