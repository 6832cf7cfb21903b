/* kernel_image.c - where the embedded kernels are. Its object is linked with theirs (Makefile): a
 * linker takes what a weak reference names out of an archive only with what refers to it.
 */
#include "cuda/kernel_image.h"

/* Absent if the library was built without nvcc. */
extern const unsigned char aotigen_stats_fatbin[] __attribute__((weak));

const void *ag_cuda_kernel_image(void) { return aotigen_stats_fatbin; }
