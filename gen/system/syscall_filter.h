/* syscall_filter.h - which system calls a confined process may make: all but those that reach other
 * processes, the network or the kernel, and those by which a file is changed that Landlock does not
 * decide on. By seccomp, where the kernel is new or old.
 */
#ifndef GEN_SYSCALL_FILTER_H
#define GEN_SYSCALL_FILTER_H

#include "base/arena.h"
#include <stdint.h>

struct sock_filter;

/* Makes a program of `n` instructions, in the arena, for prctl(PR_SET_SECCOMP). `alone`: nor may
 * the process start processes and threads, or execute. 0, or a negative errno. */
int syscall_filter_make(struct sock_filter **filter, uint16_t *n, bool alone, arena *a);

#endif
