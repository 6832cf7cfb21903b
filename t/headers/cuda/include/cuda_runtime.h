/* cuda_runtime.h - see cuda.h. */
#include "cuda_runtime_api.h"
