#pragma once
#include <c10/core/SymInt.h>
#include <torch/headeronly/macros/Macros.h>
#include <cstdint>
#include <utility>
