/* byte_count.h - numbers of bytes as messages have them. */
#ifndef GEN_BYTE_COUNT_H
#define GEN_BYTE_COUNT_H

#include "base/arena.h"
#include <stdint.h>

/* "9999 bytes", "498.1 MB": powers of ten. What is made of pages, or of red zones, is written in
 * KiB where it is described. */
const char *byte_count_format(uint64_t n, arena *a);

#endif
