/* gpu.h - the NVIDIA GPUs of this machine, by the driver's answer.
 *
 * A child process loads libcuda.so.1, with a time limit: a driver that hangs or crashes ends only
 * that child.
 */
#ifndef GEN_GPU_H
#define GEN_GPU_H

#include "base/options.h"
#include <stdint.h>

typedef struct gpu {
  const char *name;      /* "NVIDIA H200" */
  unsigned major, minor; /* compute capability: 9.0 */
  uint64_t total, free;  /* bytes of memory */
  bool tells_free;       /* false: the driver does not tell `free` */
} gpu;

typedef struct gpus {
  const char *why; /* the reason why there is none: "no GPU driver here"; else NULL */
  bool outdated;   /* `why` says that the driver is too old */
  bool unknown;    /* `why` says that the driver did not answer: there may be GPUs */
  unsigned driver; /* the CUDA that it supports: 13000 is 13.0 */
  gpu *at;         /* by their number */
  size_t n, cap;
} gpus;

/* Asks the driver, for at most half a minute. */
void gpu_ask(gpus *g, arena *a);

#endif
