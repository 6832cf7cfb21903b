#pragma once
#include <c10/core/DeviceType.h>
#include <c10/core/DispatchKey.h>
#include <c10/core/DispatchKeySet.h>
#include <torch/headeronly/macros/Macros.h>
#include <c10/util/Exception.h>
#include <stdexcept>
