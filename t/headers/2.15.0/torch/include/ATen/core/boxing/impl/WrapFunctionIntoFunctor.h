#pragma once
#include <c10/core/CompileTimeFunctionPointer.h>
