/* limits.h - sizes and counts that the program says, or makes room for, and the runtime or the
 * preloaded library has. */
#ifndef AOTIGEN_SHARED_LIMITS_H
#define AOTIGEN_SHARED_LIMITS_H

enum {
  /* Bytes of a red zone of --guard=canary, which stands on both sides of a buffer. */
  AG_CPU_ZONE = 16 << 10,
  AG_DEVICE_ZONE = 1 << 20,
  /* Bytes of released buffers that a model keeps, to find a late write to them. */
  AG_RETIRED_MOST = 256 << 20,
  /* Packages that one `aotigen run` replaces, and bytes of the variable that names them. */
  AG_RUN_MODELS = 8,
  AG_RUN_TABLE = 48 * 1024
};

#endif
