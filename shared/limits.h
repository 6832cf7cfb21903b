/* limits.h - sizes and counts of the runtime or the preloaded library that the program prints or
 * makes room for. */
#ifndef AOTIGEN_SHARED_LIMITS_H
#define AOTIGEN_SHARED_LIMITS_H

enum {
  /* Bytes of a red zone of --guard=canary, on each side of a buffer. */
  AG_CPU_ZONE = 16 << 10,
  AG_DEVICE_ZONE = 1 << 20,
  /* Bytes of released buffers that a model retains, to find late accesses to them. */
  AG_RETIRED_MOST = 256 << 20,
  /* Packages that one `aotigen run` replaces, and bytes of the variable that names them. */
  AG_RUN_MODELS = 8,
  AG_RUN_TABLE = 48 * 1024
};

#endif
