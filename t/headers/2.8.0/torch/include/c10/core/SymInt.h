#pragma once
#include <c10/core/SymBool.h>
#include <c10/core/SymNodeImpl.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/Optional.h>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <ostream>
#include <type_traits>
namespace c10 {
class SymFloat;
class __attribute__((__visibility__("default"))) SymInt {
public:
enum Unchecked {
UNCHECKED,
};
SymInt(int64_t d);
SymInt();
SymInt(SymNode n);
SymInt(Unchecked, int64_t d);
SymInt(const SymInt& s);
SymInt(SymInt&& s) noexcept;
SymInt& operator=(const SymInt& s);
SymInt& operator=(SymInt&& s) noexcept;
SymNodeImpl* release() &&;
~SymInt();
SymInt operator+(const SymInt& sci) const;
SymInt operator-(const SymInt& sci) const;
SymInt operator*(const SymInt& sci) const;
SymInt operator/(const SymInt& sci) const;
SymInt operator%(const SymInt& sci) const;
void operator*=(const SymInt& sci);
void operator+=(const SymInt& sci);
void operator/=(const SymInt& sci);
bool operator==(const SymInt& o) const;
bool operator!=(const SymInt& o) const;
bool operator<(const SymInt& o) const;
bool operator<=(const SymInt& o) const;
bool operator>(const SymInt& o) const;
bool operator>=(const SymInt& o) const;
operator SymFloat() const;
private:
int64_t data_;
};
__attribute__((__visibility__("default"))) SymInt operator%(const SymInt& a, int64_t b);
__attribute__((__visibility__("default"))) SymInt operator%(int64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) SymInt operator%(const SymInt& a, int32_t b);
__attribute__((__visibility__("default"))) SymInt operator%(int32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) SymInt operator%(const SymInt& a, uint64_t b);
__attribute__((__visibility__("default"))) SymInt operator%(uint64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) SymInt operator%(const SymInt& a, uint32_t b);
__attribute__((__visibility__("default"))) SymInt operator%(uint32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) SymInt operator+(const SymInt& a, int64_t b);
__attribute__((__visibility__("default"))) SymInt operator-(const SymInt& a, int64_t b);
__attribute__((__visibility__("default"))) bool operator<(const SymInt& a, int64_t b);
__attribute__((__visibility__("default"))) bool operator<=(const SymInt& a, int64_t b);
__attribute__((__visibility__("default"))) bool operator>(const SymInt& a, int64_t b);
__attribute__((__visibility__("default"))) bool operator>=(const SymInt& a, int64_t b);
__attribute__((__visibility__("default"))) bool operator==(int64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator!=(int64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator<(int64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator<=(int64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator>(int64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator>=(int64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) SymInt operator*(const SymInt& a, int64_t b);
__attribute__((__visibility__("default"))) SymInt operator/(const SymInt& a, int64_t b);
__attribute__((__visibility__("default"))) SymInt operator+(int64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) SymInt operator-(int64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) SymInt operator*(int64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) SymInt operator/(int64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator==(const SymInt& a, int64_t b);
__attribute__((__visibility__("default"))) bool operator!=(const SymInt& a, int64_t b);
__attribute__((__visibility__("default"))) SymInt operator+(const SymInt& a, int32_t b);
__attribute__((__visibility__("default"))) SymInt operator-(const SymInt& a, int32_t b);
__attribute__((__visibility__("default"))) bool operator<(const SymInt& a, int32_t b);
__attribute__((__visibility__("default"))) bool operator<=(const SymInt& a, int32_t b);
__attribute__((__visibility__("default"))) bool operator>(const SymInt& a, int32_t b);
__attribute__((__visibility__("default"))) bool operator>=(const SymInt& a, int32_t b);
__attribute__((__visibility__("default"))) bool operator==(int32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator!=(int32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator<(int32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator<=(int32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator>(int32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator>=(int32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) SymInt operator*(const SymInt& a, int32_t b);
__attribute__((__visibility__("default"))) SymInt operator/(const SymInt& a, int32_t b);
__attribute__((__visibility__("default"))) SymInt operator+(int32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) SymInt operator-(int32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) SymInt operator*(int32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) SymInt operator/(int32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator==(const SymInt& a, int32_t b);
__attribute__((__visibility__("default"))) bool operator!=(const SymInt& a, int32_t b);
__attribute__((__visibility__("default"))) SymInt operator+(const SymInt& a, uint64_t b);
__attribute__((__visibility__("default"))) SymInt operator-(const SymInt& a, uint64_t b);
__attribute__((__visibility__("default"))) bool operator<(const SymInt& a, uint64_t b);
__attribute__((__visibility__("default"))) bool operator<=(const SymInt& a, uint64_t b);
__attribute__((__visibility__("default"))) bool operator>(const SymInt& a, uint64_t b);
__attribute__((__visibility__("default"))) bool operator>=(const SymInt& a, uint64_t b);
__attribute__((__visibility__("default"))) bool operator==(uint64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator!=(uint64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator<(uint64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator<=(uint64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator>(uint64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator>=(uint64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) SymInt operator*(const SymInt& a, uint64_t b);
__attribute__((__visibility__("default"))) SymInt operator/(const SymInt& a, uint64_t b);
__attribute__((__visibility__("default"))) SymInt operator+(uint64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) SymInt operator-(uint64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) SymInt operator*(uint64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) SymInt operator/(uint64_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator==(const SymInt& a, uint64_t b);
__attribute__((__visibility__("default"))) bool operator!=(const SymInt& a, uint64_t b);
__attribute__((__visibility__("default"))) SymInt operator+(const SymInt& a, uint32_t b);
__attribute__((__visibility__("default"))) SymInt operator-(const SymInt& a, uint32_t b);
__attribute__((__visibility__("default"))) bool operator<(const SymInt& a, uint32_t b);
__attribute__((__visibility__("default"))) bool operator<=(const SymInt& a, uint32_t b);
__attribute__((__visibility__("default"))) bool operator>(const SymInt& a, uint32_t b);
__attribute__((__visibility__("default"))) bool operator>=(const SymInt& a, uint32_t b);
__attribute__((__visibility__("default"))) bool operator==(uint32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator!=(uint32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator<(uint32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator<=(uint32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator>(uint32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator>=(uint32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) SymInt operator*(const SymInt& a, uint32_t b);
__attribute__((__visibility__("default"))) SymInt operator/(const SymInt& a, uint32_t b);
__attribute__((__visibility__("default"))) SymInt operator+(uint32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) SymInt operator-(uint32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) SymInt operator*(uint32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) SymInt operator/(uint32_t a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator==(const SymInt& a, uint32_t b);
__attribute__((__visibility__("default"))) bool operator!=(const SymInt& a, uint32_t b);
__attribute__((__visibility__("default"))) SymFloat operator+(const SymInt& a, double b);
__attribute__((__visibility__("default"))) SymFloat operator-(const SymInt& a, double b);
__attribute__((__visibility__("default"))) bool operator<(const SymInt& a, double b);
__attribute__((__visibility__("default"))) bool operator<=(const SymInt& a, double b);
__attribute__((__visibility__("default"))) bool operator>(const SymInt& a, double b);
__attribute__((__visibility__("default"))) bool operator>=(const SymInt& a, double b);
__attribute__((__visibility__("default"))) bool operator==(double a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator!=(double a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator<(double a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator<=(double a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator>(double a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator>=(double a, const SymInt& b);
__attribute__((__visibility__("default"))) SymFloat operator*(const SymInt& a, double b);
__attribute__((__visibility__("default"))) SymFloat operator/(const SymInt& a, double b);
__attribute__((__visibility__("default"))) SymFloat operator+(double a, const SymInt& b);
__attribute__((__visibility__("default"))) SymFloat operator-(double a, const SymInt& b);
__attribute__((__visibility__("default"))) SymFloat operator*(double a, const SymInt& b);
__attribute__((__visibility__("default"))) SymFloat operator/(double a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator==(const SymInt& a, double b);
__attribute__((__visibility__("default"))) bool operator!=(const SymInt& a, double b);
__attribute__((__visibility__("default"))) SymFloat operator+(const SymInt& a, float b);
__attribute__((__visibility__("default"))) SymFloat operator-(const SymInt& a, float b);
__attribute__((__visibility__("default"))) bool operator<(const SymInt& a, float b);
__attribute__((__visibility__("default"))) bool operator<=(const SymInt& a, float b);
__attribute__((__visibility__("default"))) bool operator>(const SymInt& a, float b);
__attribute__((__visibility__("default"))) bool operator>=(const SymInt& a, float b);
__attribute__((__visibility__("default"))) bool operator==(float a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator!=(float a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator<(float a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator<=(float a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator>(float a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator>=(float a, const SymInt& b);
__attribute__((__visibility__("default"))) SymFloat operator*(const SymInt& a, float b);
__attribute__((__visibility__("default"))) SymFloat operator/(const SymInt& a, float b);
__attribute__((__visibility__("default"))) SymFloat operator+(float a, const SymInt& b);
__attribute__((__visibility__("default"))) SymFloat operator-(float a, const SymInt& b);
__attribute__((__visibility__("default"))) SymFloat operator*(float a, const SymInt& b);
__attribute__((__visibility__("default"))) SymFloat operator/(float a, const SymInt& b);
__attribute__((__visibility__("default"))) bool operator==(const SymInt& a, float b);
__attribute__((__visibility__("default"))) bool operator!=(const SymInt& a, float b);
__attribute__((__visibility__("default"))) std::ostream& operator<<(std::ostream& os, const SymInt& s);
__attribute__((__visibility__("default"))) SymInt operator-(const SymInt& s);
}
