#pragma once
#include <c10/core/SymInt.h>
#include <c10/core/impl/SizesAndStrides.h>
#include <c10/util/SmallVector.h>
#include <cstddef>
#include <cstdint>
namespace c10 {
constexpr size_t kDimVectorStaticSize = 5;
using SymDimVector = SmallVector<c10::SymInt, kDimVectorStaticSize>;
}
