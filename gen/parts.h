/* parts.h - what belongs to a wrapper that is to be built: its kernels, its custom ops' names, the runtime it wants. */
#ifndef GEN_PARTS_H
#define GEN_PARTS_H

#include "command.h"

typedef struct parts {
  strings kernels;         /* .cpp files */
  strings objects;         /* .o and .a files */
  const char *ops;         /* wrapper.json, or NULL */
  const char *runtime;     /* libaotigen.a, or NULL where the wrapper wants none */
  const char *runtime_include; /* the directory of aotigen.h, likewise */
} parts;

/* Looks beside the wrapper and beside the original that its text names. False where something needed is missing. */
bool parts_find(parts *p, const options *o, const char *at, size_t n, arena *a, diags *d);

#endif
