/* kernel_file.h - whether a file holds a kernel that the driver can load. */
#ifndef AOTIGEN_CUDA_KERNEL_FILE_H
#define AOTIGEN_CUDA_KERNEL_FILE_H

/* NULL if `path` is a whole cubin or fatbin, or PTX; else why not, as the driver's messages are
 * (driver.h). Some drivers crash on a cubin that was cut short. */
const char *ag_cuda_check_kernel_file(const char *path);

#endif
