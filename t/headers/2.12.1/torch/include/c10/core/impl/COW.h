#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <c10/util/intrusive_ptr.h>
namespace c10 {
struct StorageImpl;
class DataPtr;
}
