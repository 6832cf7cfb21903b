#pragma once
#include <ATen/core/Dimname.h>
#include <c10/core/TensorImpl.h>
namespace at {
class TensorBase;
}
