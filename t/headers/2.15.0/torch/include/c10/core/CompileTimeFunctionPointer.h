#pragma once
#include <torch/headeronly/util/TypeTraits.h>
#include <type_traits>
