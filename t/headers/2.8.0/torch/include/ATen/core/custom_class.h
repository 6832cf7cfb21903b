#pragma once
#include <typeindex>
#include <memory>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
namespace c10 {
struct ClassType;
}
