/* memory_limit.h - the memory that the kernel allows a group of processes (cgroup), such as those
 * of a container.
 */
#ifndef GEN_MEMORY_LIMIT_H
#define GEN_MEMORY_LIMIT_H

#include <stdint.h>

/* The least limit, in bytes, of this process's group and of the visible groups above it, in either
 * version of cgroups; UINT64_MAX if there is none. Swap is not included. */
uint64_t memory_limit_find(void);

/* The same for a file system that begins at another directory than "/". */
uint64_t memory_limit_find_below(const char *root);

#endif
