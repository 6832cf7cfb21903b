#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <functional>
#include <type_traits>
