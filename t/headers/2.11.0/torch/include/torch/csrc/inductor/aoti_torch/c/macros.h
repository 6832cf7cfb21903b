#pragma once
#include <stddef.h>
#include <stdint.h>
extern "C" {
struct AtenTensorOpaque;
using AtenTensorHandle = AtenTensorOpaque*;
struct AOTIProxyExecutorOpaque;
using AOTIProxyExecutorHandle = AOTIProxyExecutorOpaque*;
using AOTITorchError = int32_t;
}
#define AOTI_TORCH_SUCCESS 0
