/* kernel_image.h - the kernels of stats.cu as bytes of the library. */
#ifndef AOTIGEN_CUDA_KERNEL_IMAGE_H
#define AOTIGEN_CUDA_KERNEL_IMAGE_H

/* The argument for cuModuleLoadData (a fatbin); NULL if the library was built without nvcc. */
const void *ag_cuda_kernel_image(void);

#endif
