#pragma once
#include <c10/core/SymBool.h>
#include <c10/core/SymNodeImpl.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>
#include <cstdint>
#include <limits>
#include <ostream>
#include <utility>
namespace c10 {
class __attribute__((__visibility__("default"))) SymFloat {
public:
SymFloat(double d);
SymFloat(SymNode ptr);
SymFloat();
SymNodeImpl* release() &&;
SymFloat operator+(const SymFloat&) const;
SymFloat operator-(const SymFloat&) const;
SymFloat operator*(const SymFloat&) const;
SymFloat operator/(const SymFloat&) const;
bool operator==(const SymFloat& o) const;
bool operator!=(const SymFloat& o) const;
bool operator<(const SymFloat& o) const;
bool operator<=(const SymFloat& o) const;
bool operator>(const SymFloat& o) const;
bool operator>=(const SymFloat& o) const;
private:
double data_;
SymNode ptr_;
};
__attribute__((__visibility__("default"))) std::ostream& operator<<(std::ostream& os, const SymFloat& s);
}
