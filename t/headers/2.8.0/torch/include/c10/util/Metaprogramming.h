#pragma once
#include <c10/util/TypeList.h>
#include <type_traits>
