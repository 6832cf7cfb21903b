#pragma once
#include <c10/util/floating_point_utils.h>
#include <cstdint>
