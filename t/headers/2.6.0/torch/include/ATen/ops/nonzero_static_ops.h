#pragma once
#include <tuple>
#include <vector>
#include <ATen/core/ATen_fwd.h>
