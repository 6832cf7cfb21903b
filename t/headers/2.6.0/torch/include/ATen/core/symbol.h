#pragma once
#include <cstdint>
#include <functional>
#include <string>
namespace c10 {
using unique_t = uint32_t;
struct __attribute__((__visibility__("default"))) Symbol {
explicit constexpr Symbol() : value(0) {}
explicit constexpr Symbol(unique_t uniq)
: value(uniq) {}
static Symbol aten(const std::string & s);
static Symbol cuda(const std::string & s);
static Symbol caffe2(const std::string & s);
static Symbol dimname(const std::string & s);
static Symbol scope(const std::string & s);
constexpr operator unique_t() const {
return value;
}
Symbol ns() const;
private:
explicit Symbol(Symbol ns, const std::string & s);
unique_t value;
};
static inline bool operator==(Symbol lhs, Symbol rhs);
}
