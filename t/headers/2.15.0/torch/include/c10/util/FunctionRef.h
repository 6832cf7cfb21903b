#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>
