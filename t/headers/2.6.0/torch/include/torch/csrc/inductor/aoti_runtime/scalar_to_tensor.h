#pragma once
#include <torch/csrc/inductor/aoti_runtime/utils.h>
