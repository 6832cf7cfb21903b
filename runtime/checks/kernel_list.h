/* kernel_list.h - the launches of a model's Triton kernels, for the log: of a failed GPU the
 * driver's core dump names a kernel and its line, and no launch. Inside the library only.
 */
#ifndef AOTIGEN_KERNEL_LIST_H
#define AOTIGEN_KERNEL_LIST_H

#include "shared/wrapper/aotigen.h"

/* Writes the events `kernels`. Any thread may call. */
void ag_kernel_list_log(const aotigen_model *model);

#endif
