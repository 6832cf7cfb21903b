#pragma once
#include <cstdint>
#include <memory>
#include <type_traits>
#include <ATen/core/jit_type_base.h>
#include <optional>
namespace c10 {
struct ClassType;
struct TupleType;
}
