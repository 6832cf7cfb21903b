#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <sstream>
#include <stdexcept>
namespace torch::headeronly {
namespace detail __attribute__((visibility("hidden"))) {
[[maybe_unused]] __attribute__((noinline)) static void throw_exception(
const char* call,
const char* file,
int64_t line);
}
}
