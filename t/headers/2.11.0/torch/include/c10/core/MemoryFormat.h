#pragma once
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <torch/headeronly/core/MemoryFormat.h>
#include <cstdint>
#include <vector>
