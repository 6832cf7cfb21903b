/* memory_limit.h - how much memory the kernel lets a group of processes (cgroup) take, as those of
 * a container are.
 */
#ifndef GEN_MEMORY_LIMIT_H
#define GEN_MEMORY_LIMIT_H

#include <stdint.h>

/* In bytes: the least limit of this process's group and of those above it that can be seen, in
 * either version of cgroups; UINT64_MAX where there is none. Without what may be swapped. */
uint64_t memory_limit_find(void);

/* The same where the file system begins at another directory than "/". */
uint64_t memory_limit_find_below(const char *root);

#endif
