#pragma once
#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>
#include <c10/util/ArrayRef.h>
