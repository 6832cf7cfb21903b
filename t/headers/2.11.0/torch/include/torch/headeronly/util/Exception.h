#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <sstream>
#include <string>
namespace torch::headeronly {
namespace detail __attribute__((visibility("hidden"))) {
template <typename... Args>
std::string stdTorchCheckMsgImpl(const char* , const Args&... args);
inline const char* stdTorchCheckMsgImpl(const char* msg);
inline const char* stdTorchCheckMsgImpl(const char* , const char* args);
}
}
