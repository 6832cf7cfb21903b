#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/bit_cast.h>
#include <cstdint>
