#pragma once
#include <torch/csrc/inductor/aoti_runtime/arrayref_tensor.h>
#include <torch/csrc/inductor/aoti_runtime/interface.h>
#include <cassert>
#include <cstring>
#include <stdexcept>
#include <type_traits>
