/* int32.h - integers of which a compiled kernel uses 32 bits. Inside the library only. */
#ifndef AOTIGEN_INT32_H
#define AOTIGEN_INT32_H

#include "checks/finding.h"

/* Adds a violation where the kernel takes argument `a` in 32 bits, which do not hold it. Warns once
 * for each site where the kernel converts it to 32 bits. */
void ag_int32_check(const aotigen_run *run, ag_finding *f, const ag_arg *a);

#endif
