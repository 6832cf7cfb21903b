#pragma once
#include <c10/core/SymInt.h>
#include <c10/macros/Macros.h>
#include <cstdint>
#include <utility>
