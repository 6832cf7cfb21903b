#pragma once
#include <array>
#include <c10/macros/Macros.h>
#include <cmath>
#include <cstdint>
