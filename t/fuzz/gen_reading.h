/* gen_reading.h - what the readers of gen/ share. */
#ifndef T_FUZZ_GEN_READING_H
#define T_FUZZ_GEN_READING_H

#include "base/diag.h"
#include "fuzz/readers.h"
#include "model/custom_ops.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The state of a reading, and its messages, which are all printed, to nowhere. */
typedef struct reading {
  arena *a;
  diags *d;
  FILE *null;
} reading;

static inline reading begin_reading(void) {
  arena *a = arena_new();
  return (reading){a, diags_new(a), fopen("/dev/null", "w")};
}

static inline void end_reading(reading *r) {
  diags_print(r->d, r->null, false);
  fclose(r->null);
  arena_free(r->a);
}

/* A file in memory that holds the bytes. */
static inline int make_file(const char *at, size_t n, char *path, size_t size) {
  int fd = memfd_create("input", MFD_CLOEXEC);
  if (fd < 0 || write(fd, at, n) != (ssize_t)n) abort();
  snprintf(path, size, "/proc/self/fd/%d", fd);
  return fd;
}

/* Readers in gen_listings.c: for what `aotigen run`, `diff` and `list --here` read. */
void read_event_log(const char *at, size_t n);
void read_ledger(const char *at, size_t n);
void read_core_dump(const char *at, size_t n);
void read_here_so(const char *at, size_t n);
void read_here_text(const char *at, size_t n);
void list_custom_ops(const custom_ops *ops, const reading *r);

#endif
