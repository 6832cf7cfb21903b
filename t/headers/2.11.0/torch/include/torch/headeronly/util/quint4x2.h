#pragma once
#include <cstdint>
#include <torch/headeronly/macros/Macros.h>
