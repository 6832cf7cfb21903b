#pragma once
#include <c10/macros/Macros.h>
#include <limits>
#include <type_traits>
