/* scan.c - compares the cost of scanning for NaN with that of reading: a float32 tensor far beyond
 * the cache, one thread.
 *
 * Prints two lines, "read SECONDS" and "scan SECONDS": the best of several passes each, taken in
 * turns.
 * */
#include "tensor/backend.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Reads every byte, and does the least that keeps the compiler from removing it. */
__attribute__((noinline)) static uint64_t read_all(const uint64_t *at, size_t n) {
  uint64_t a = 0, b = 0, c = 0, d = 0;
  for (size_t i = 0; i + 32 <= n; i += 32)
    for (size_t k = 0; k < 8; k++) {
      a |= at[i + k];
      b |= at[i + 8 + k];
      c |= at[i + 16 + k];
      d |= at[i + 24 + k];
    }
  return a | b | c | d;
}

int main(void) {
  enum { PASSES = 7 };
  size_t n = (size_t)1 << 28; /* 1 GiB of float32 */
  float *data = aligned_alloc(64, n * sizeof *data);
  if (!data) return 1;
  for (size_t i = 0; i < n; i++) data[i] = (float)(i & 1023) - 511.5f;
  static const ag_dtype f32 = {"float32", 6, 4, AG_FLOATING, 8, 23, AG_IEEE};
  ag_tensor t = {.data = data,
                 .dtype = &f32,
                 .numel = (int64_t)n,
                 .ndim = 1,
                 .sizes = {(int64_t)n},
                 .strides = {1}};
  double best_read = 1e9, best_scan = 1e9;
  uint64_t seen = 0;
  for (int pass = 0; pass < PASSES; pass++) {
    double t0 = now();
    seen |= read_all((const uint64_t *)(const void *)data, n / 2);
    double t1 = now();
    ag_stats h;
    memset(&h, 0, sizeof h);
    const char *error = ag_backend_cpu.stats(&t, AG_WANT_BAD, NULL, &h);
    double t2 = now();
    if (error || h.nan || h.pos_inf || h.neg_inf) return 1;
    if (t1 - t0 < best_read) best_read = t1 - t0;
    if (t2 - t1 < best_scan) best_scan = t2 - t1;
  }
  if (!seen) return 1;
  printf("read %.6f\nscan %.6f\n", best_read, best_scan);
  free(data);
  return 0;
}
