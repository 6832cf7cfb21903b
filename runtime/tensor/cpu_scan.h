/* cpu_scan.h - statistics of a row of elements in host memory; for the CPU backend. */
#ifndef AOTIGEN_CPU_SCAN_H
#define AOTIGEN_CPU_SCAN_H

#include "tensor/backend.h"

/* Adds `more` to `h`. Both begin as ag_nothing_bad. */
void ag_stats_merge(ag_stats *h, const ag_stats *more, const ag_dtype *dtype);

/* Adds the n elements at `data` to `out`, which begins as ag_nothing_bad. They are contiguous in
 * memory; in their tensor's flat logical index the first is at `base`, and the others follow at
 * distances of `weight`. Calls for one `out` are made in ascending order of `base`. want: enum
 * ag_want. */
void ag_cpu_scan_elements(const ag_dtype *dtype, const void *data, int64_t n, int64_t base,
                          int64_t weight, unsigned want, ag_stats *out);

#endif
