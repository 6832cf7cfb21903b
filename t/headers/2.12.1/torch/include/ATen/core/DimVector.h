#pragma once
#include <c10/util/DimVector.h>
namespace at {
using c10::kDimVectorStaticSize;
}
