#pragma once
#include <optional>
#include <type_traits>
namespace c10 {
using std::nullopt;
using std::nullopt_t;
using std::optional;
}
