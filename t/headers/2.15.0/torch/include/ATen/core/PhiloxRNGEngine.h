#pragma once
#include <array>
#include <torch/headeronly/macros/Macros.h>
#include <cmath>
#include <cstdint>
