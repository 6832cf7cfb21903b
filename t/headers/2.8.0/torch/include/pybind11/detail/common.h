#pragma once
#include <Python.h>
#include <cstddef>
#include <cstring>
#include <exception>
#include <forward_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <typeindex>
#include <unordered_map>
#include <unordered_set>
#include <vector>
#include <version>
namespace pybind11 __attribute__((visibility("hidden"))) {
using size_t = std::size_t;
namespace detail {
using std::conditional_t;
using std::enable_if_t;
}
}
