#pragma once
#include <c10/core/TensorImpl.h>
#include <c10/core/UndefinedTensorImpl.h>
#include <utility>
namespace c10 {
template <typename TensorType>
struct ExclusivelyOwnedTensorTraits {
};
}
