/* cpu_scan.h - what a row of elements in host memory holds. Inside the CPU backend only.
 *
 * The elements are `weight` apart in the flat, logical index of their tensor, the first one at
 * `base`. Results are added to `out`, which began as ag_nothing_bad; within one ag_stats the calls
 * go upwards in `base`.
 */
#ifndef AOTIGEN_CPU_SCAN_H
#define AOTIGEN_CPU_SCAN_H

#include "tensor/backend.h"

void ag_stats_merge(ag_stats *h, const ag_stats *more, const ag_dtype *dtype);
void ag_cpu_scan(const ag_dtype *dtype, const void *data, int64_t n, int64_t base, int64_t weight,
                 unsigned want, ag_stats *out);

#endif
