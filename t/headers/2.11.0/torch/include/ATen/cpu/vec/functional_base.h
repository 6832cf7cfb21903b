#pragma once
#include <ATen/cpu/vec/vec.h>
#include <c10/util/irange.h>
namespace at {
}
