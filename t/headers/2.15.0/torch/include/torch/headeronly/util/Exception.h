#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
namespace torch::headeronly {
namespace detail __attribute__((visibility("hidden"))) {
template <typename... Args>
std::string stdTorchCheckMsgImpl(const char* , const Args&... args);
inline const char* stdTorchCheckMsgImpl(const char* msg);
inline const char* stdTorchCheckMsgImpl(const char* , const char* args);
}
}
#define STD_TORCH_CHECK_MSG(cond,type,...) (torch::headeronly::detail::stdTorchCheckMsgImpl( "Expected " #cond " to be true, but got false.  " "(Could this error message be improved?  If so, " "please report an enhancement request to PyTorch.)", ##__VA_ARGS__))
