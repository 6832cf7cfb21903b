#pragma once
#include <string_view>
#include <tuple>
#include <vector>
#include <ATen/core/ATen_fwd.h>
