/* backend_none.c - what stands where the CUDA backend was not built. Weak: backend_cuda.c's own takes its place, and in an
 * archive it must come first (sorted by name, it does). */
#include "backend.h"

__attribute__((weak)) const ag_backend *ag_backend_cuda(void) { return NULL; }
