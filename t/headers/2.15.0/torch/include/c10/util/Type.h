#pragma once
#include <cstddef>
#include <string>
#include <typeinfo>
#include <torch/headeronly/macros/Macros.h>
