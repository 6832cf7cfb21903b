#pragma once
#include <torch/headeronly/util/TypeTraits.h>
