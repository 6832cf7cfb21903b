/* kept_memory.h - copies of what a compiled kernel overwrites although it reads it, as it was
 * before the launch: an explanation computes a bad value again from them. Inside the library only.
 *
 * Right before the launch of a kernel whose graph is known, the memory of each argument is copied
 * that the kernel both reads and writes, through one pointer or through two, if it is at most
 * AG_KEPT_SMALL bytes. It may be AG_KEPT_MOST bytes if the launch reads a NaN or Inf, or if an
 * element of the launch is to be explained as AOTIGEN_EXPLAIN asks. At most AG_KEPT_ARGS arguments
 * of a launch are copied; of a tensor on a device, only one without gaps.
 *
 * A launch without such arguments costs a comparison of its arguments' addresses, and one that is
 * filtered out costs nothing. On the CPU a copy costs about as much as the scan of the argument. A
 * run that does not wait for its device copies nothing, except for a launch that is to be
 * explained: it then waits for the stream if the copy is not small. A run that is captured into a
 * graph copies nothing. */
#ifndef AOTIGEN_KEPT_MEMORY_H
#define AOTIGEN_KEPT_MEMORY_H

enum { AG_KEPT_SMALL = 256 << 10, AG_KEPT_MOST = 64 << 20, AG_KEPT_ARGS = 8 };

#endif
