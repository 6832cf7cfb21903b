#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <typeinfo>
#include <torch/headeronly/macros/Macros.h>
#include <c10/util/Lazy.h>
