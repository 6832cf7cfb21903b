#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <c10/util/Exception.h>
#include <memory>
#include <type_traits>
#include <utility>
