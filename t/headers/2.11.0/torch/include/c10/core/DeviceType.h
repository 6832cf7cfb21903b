#pragma once
#include <torch/headeronly/core/DeviceType.h>
#include <ostream>
#include <string>
