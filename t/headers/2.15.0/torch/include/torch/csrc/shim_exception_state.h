#pragma once
#include <torch/csrc/inductor/aoti_torch/c/macros.h>
#include <string>
