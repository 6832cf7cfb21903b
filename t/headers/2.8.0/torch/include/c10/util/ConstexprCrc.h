#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/IdWrapper.h>
#include <cstddef>
#include <cstdint>
#include <string_view>
