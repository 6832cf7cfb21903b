#pragma once
#include <c10/core/SymInt.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/DimVector.h>
#include <c10/util/Exception.h>
#include <torch/headeronly/util/irange.h>
#include <cstdint>
#include <optional>
#include <string>
namespace c10 {
using SymIntArrayRef = ArrayRef<SymInt>;
}
