#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/TypeList.h>
#include <type_traits>
