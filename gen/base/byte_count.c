/* byte_count.c - see byte_count.h. */
#include "base/byte_count.h"

const char *byte_count_format(uint64_t n, arena *a) {
  if (n < 10000) return arena_printf(a, "%llu bytes", (unsigned long long)n);
  if (n < 10000000) return arena_printf(a, "%.1f kB", (double)n / 1e3);
  if (n < 10000000000) return arena_printf(a, "%.1f MB", (double)n / 1e6);
  return arena_printf(a, "%.1f GB", (double)n / 1e9);
}
