#pragma once
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
namespace c10 {
class SymNodeImpl;
using SymNode = c10::intrusive_ptr<SymNodeImpl>;
class __attribute__((__visibility__("default"))) SymNodeImpl : public c10::intrusive_ptr_target {
public:
~SymNodeImpl() override = default;
virtual SymNode add(const SymNode& other);
virtual SymNode mod(const SymNode& other);
virtual std::string str();
std::ostream& operator<<(std::ostream& os);
};
}
