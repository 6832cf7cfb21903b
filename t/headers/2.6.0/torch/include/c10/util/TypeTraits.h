#pragma once
#include <functional>
#include <type_traits>
