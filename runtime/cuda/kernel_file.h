/* kernel_file.h - tests if a file holds a kernel that the driver can load. */
#ifndef AOTIGEN_CUDA_KERNEL_FILE_H
#define AOTIGEN_CUDA_KERNEL_FILE_H

/* NULL if `path` is a whole cubin or fatbin, or PTX; otherwise why not, like the driver's messages
 * (driver.h). Some drivers crash on a truncated cubin. */
const char *ag_cuda_check_kernel_file(const char *path);

#endif
