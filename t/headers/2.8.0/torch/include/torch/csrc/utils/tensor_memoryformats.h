#pragma once
#include <c10/core/MemoryFormat.h>
#include <torch/csrc/utils/python_stub.h>
