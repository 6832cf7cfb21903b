/* readers.h - each reader of aotigen's that takes an untrusted text, as one function over bytes.
 * The fuzz targets and the growth tests call the same ones. */
#ifndef T_FUZZ_READERS_H
#define T_FUZZ_READERS_H

#include <stddef.h>

typedef struct reader {
  const char *name;
  /* Reads the n bytes at `at`, behind which stands a NUL, and forgets them. */
  void (*read)(const char *at, size_t n);
} reader;

/* The readers of the generator or of the runtime, whichever is linked. A NULL name ends the
 * list. */
extern const reader readers[];

#endif
