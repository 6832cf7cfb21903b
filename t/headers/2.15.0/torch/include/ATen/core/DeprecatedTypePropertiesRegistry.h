#pragma once
#include <c10/core/Backend.h>
#include <c10/core/ScalarType.h>
#include <memory>
namespace at {
class DeprecatedTypeProperties;
}
