#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <c10/util/Backtrace.h>
#include <c10/util/Lazy.h>
#include <c10/util/StringUtil.h>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <variant>
#include <vector>
#include <torch/headeronly/util/Exception.h>
namespace c10::detail {
template <typename... Args>
auto torchCheckMsgImpl(const char* , const Args&... args) {
return ::c10::str(args...);
}
inline __attribute__((__visibility__("default"))) const char* torchCheckMsgImpl(const char* msg);
inline __attribute__((__visibility__("default"))) const char* torchCheckMsgImpl(
const char* ,
const char* args);
}
