/* kernel_list.h - logs the launches of a model's Triton kernels. After a GPU failure, the driver's
 * core dump names a kernel and its line, but not the launch. Inside the library only. */
#ifndef AOTIGEN_KERNEL_LIST_H
#define AOTIGEN_KERNEL_LIST_H

#include "shared/wrapper/aotigen.h"

/* Writes the events `kernels`. Any thread may call. */
void ag_kernel_list_log(const aotigen_model *model);

#endif
