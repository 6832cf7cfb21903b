#pragma once
#include <cstring>
#include <type_traits>
