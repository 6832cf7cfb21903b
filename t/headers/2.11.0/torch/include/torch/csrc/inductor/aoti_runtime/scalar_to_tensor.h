#pragma once
#include <c10/util/complex.h>
#include <torch/csrc/inductor/aoti_runtime/utils.h>
