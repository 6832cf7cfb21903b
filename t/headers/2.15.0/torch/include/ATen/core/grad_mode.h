#pragma once
#include <torch/headeronly/macros/Macros.h>
#include <c10/core/GradMode.h>
