#pragma once
#include <typeindex>
#include <memory>
#include <torch/headeronly/macros/Macros.h>
#include <c10/util/Exception.h>
namespace c10 {
struct ClassType;
using ClassTypePtr = std::shared_ptr<ClassType>;
}
