#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/Backtrace.h>
#include <c10/util/Lazy.h>
#include <c10/util/StringUtil.h>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <variant>
#include <vector>
namespace c10::detail {
template <typename... Args>
decltype(auto) torchCheckMsgImpl(const char* , const Args&... args) {
return ::c10::str(args...);
}
inline __attribute__((__visibility__("default"))) const char* torchCheckMsgImpl(const char* msg);
inline __attribute__((__visibility__("default"))) const char* torchCheckMsgImpl(
const char* ,
const char* args);
}
