/* stats.c - how fast the kernels of kernels/ are, beside a plain read of the same memory. `make
 * bench-cuda` builds and runs it:
 *
 *   stats READ.fatbin STATS.fatbin [GIB [BLOCKS]]
 *     BLOCKS: of a summary, for each multiprocessor
 *
 * Prints lines "NAME SECONDS BYTES": medians of 30, by the device's own clock. Of a batch a line is
 * one launch of many, back to back; in_graph: from a graph, so that the host's part is not in it.
 * The read is the fastest of several ways to read, named on stderr. Needs a GPU and its driver,
 * nothing else of CUDA.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

#define FUNCTIONS(X)                                                                               \
  X(cuInit, "cuInit", (unsigned))                                                                  \
  X(cuDeviceGet, "cuDeviceGet", (int *, int))                                                      \
  X(cuDeviceGetName, "cuDeviceGetName", (char *, int, int))                                        \
  X(cuDeviceGetAttribute, "cuDeviceGetAttribute", (int *, int, int))                               \
  X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (void **, int))                          \
  X(cuCtxSetCurrent, "cuCtxSetCurrent", (void *))                                                  \
  X(cuCtxSynchronize, "cuCtxSynchronize", (void))                                                  \
  X(cuMemAlloc, "cuMemAlloc_v2", (uint64_t *, size_t))                                             \
  X(cuMemHostAlloc, "cuMemHostAlloc", (void **, size_t, unsigned))                                 \
  X(cuMemsetD32, "cuMemsetD32_v2", (uint64_t, unsigned, size_t))                                   \
  X(cuMemcpyHtoD, "cuMemcpyHtoD_v2", (uint64_t, const void *, size_t))                             \
  X(cuMemcpyDtoD, "cuMemcpyDtoD_v2", (uint64_t, uint64_t, size_t))                                 \
  X(cuModuleLoadData, "cuModuleLoadData", (void **, const void *))                                 \
  X(cuModuleGetFunction, "cuModuleGetFunction", (void **, void *, const char *))                   \
  X(cuStreamCreate, "cuStreamCreate", (void **, unsigned))                                         \
  X(cuStreamBeginCapture, "cuStreamBeginCapture_v2", (void *, int))                                \
  X(cuStreamEndCapture, "cuStreamEndCapture", (void *, void **))                                   \
  X(cuGraphInstantiate, "cuGraphInstantiateWithFlags", (void **, void *, unsigned long long))      \
  X(cuGraphLaunch, "cuGraphLaunch", (void *, void *))                                              \
  X(cuEventCreate, "cuEventCreate", (void **, unsigned))                                           \
  X(cuEventRecord, "cuEventRecord", (void *, void *))                                              \
  X(cuEventSynchronize, "cuEventSynchronize", (void *))                                            \
  X(cuEventElapsedTime, "cuEventElapsedTime_v2", (float *, void *, void *))                        \
  X(cuLaunchKernel, "cuLaunchKernel",                                                              \
    (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,         \
     void **, void **))

static struct {
#define MEMBER(name, symbol, parameters) int(*name) parameters;
  FUNCTIONS(MEMBER)
} cu;

#ifndef SMALL_TILES
#define SMALL_TILES 128
#endif
enum { TIMES = 30, MULTIPROCESSORS = 16, TILE = AGK_THREADS * AGK_VECTORS * 16 };

static int sms, per_sm = AGK_BLOCKS_PER_SM;
static void *reading, *scanning, *begun, *ended, *stream;
static uint64_t data, scratch;
static char *mapped;
static size_t bytes;

/* Checks a call's result: nothing here can go on after a failure. */
static void check(int error, const char *what) {
  if (!error) return;
  fprintf(stderr, "stats: %s: error %d\n", what, error);
  exit(1);
}
#define OK(call) check(call, #call)

static void open_driver(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW), *found;
  if (!library) check(1, dlerror());
#define FIND(name, symbol, parameters)                                                             \
  found = dlsym(library, symbol);                                                                  \
  if (!found && !strcmp(symbol, "cuEventElapsedTime_v2"))                                          \
    found = dlsym(library, "cuEventElapsedTime");                                                  \
  if (!found) check(1, symbol);                                                                    \
  memcpy(&cu.name, &found, sizeof found);
  FUNCTIONS(FIND)
}

static void *module_of(const char *path) {
  FILE *f = fopen(path, "rb");
  char *image;
  void *module;
  long size;
  if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) <= 0 || fseek(f, 0, SEEK_SET))
    check(1, path);
  image = malloc((size_t)size + 1);
  if (!image || fread(image, 1, (size_t)size, f) != (size_t)size) check(1, path);
  fclose(f);
  image[size] = 0;
  check(cu.cuModuleLoadData(&module, image), path);
  free(image);
  return module;
}

static void *function_of(void *module, const char *name) {
  void *function;
  check(cu.cuModuleGetFunction(&function, module, name), name);
  return function;
}

/* ---- time ----------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static double median_of(float *ms) {
  qsort(ms + 3, TIMES, sizeof *ms, by_value); /* the first three warm up */
  return ((double)ms[3 + TIMES / 2 - 1] + (double)ms[3 + TIMES / 2]) / 2 / 1e3;
}

static void launch_times(void *function, unsigned blocks, unsigned threads, void *argument,
                         int repeats) {
  void *parameters[] = {argument};
  for (int k = 0; k < repeats; k++)
    OK(cu.cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, parameters, NULL));
}

/* Seconds of one of `repeats` launches, each by itself. */
static double time_of(void *function, unsigned blocks, unsigned threads, void *argument,
                      int repeats) {
  float ms[TIMES + 3];
  for (int i = 0; i < TIMES + 3; i++) {
    OK(cu.cuEventRecord(begun, stream));
    launch_times(function, blocks, threads, argument, repeats);
    OK(cu.cuEventRecord(ended, stream));
    OK(cu.cuEventSynchronize(ended));
    OK(cu.cuEventElapsedTime(&ms[i], begun, ended));
  }
  return median_of(ms) / repeats;
}

/* The same from a graph, without the host's part. */
static double time_in_graph(void *function, unsigned blocks, unsigned threads, void *argument,
                            int repeats) {
  float ms[TIMES + 3];
  void *graph, *ready;
  OK(cu.cuStreamBeginCapture(stream, 2));
  launch_times(function, blocks, threads, argument, repeats);
  OK(cu.cuStreamEndCapture(stream, &graph));
  OK(cu.cuGraphInstantiate(&ready, graph, 0));
  for (int i = 0; i < TIMES + 3; i++) {
    OK(cu.cuEventRecord(begun, stream));
    OK(cu.cuGraphLaunch(ready, stream));
    OK(cu.cuEventRecord(ended, stream));
    OK(cu.cuEventSynchronize(ended));
    OK(cu.cuEventElapsedTime(&ms[i], begun, ended));
  }
  return median_of(ms) / repeats;
}

static void print_time(const char *name, double seconds, size_t n) {
  printf("%s %.4g %zu\n", name, seconds, n);
  fflush(stdout);
}

/* ---- memory --------------------------------------------------------------------------------- */

static uint32_t next_random(uint64_t *s) {
  *s = *s * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*s >> 32);
}

/* Finite elements: of 1 byte every code that is, of more the magnitudes that a model has. */
static void fill_memory(agk_format f) {
  static unsigned char some[64 << 20];
  uint64_t seed = 1;
  for (size_t i = 0; i < sizeof some; i += f.bytes) {
    uint32_t bits = next_random(&seed) >> (32 - 8 * f.bytes), sign = 1u << (8 * f.bytes - 1);
    if (f.bytes > 1)
      bits = (bits & (sign | ((1u << f.mantissa) - 1))) | ((1u << (f.exponent - 1)) - 1 - bits % 12)
                                                              << f.mantissa;
    if (agk_classify(f, bits) != AGK_IS_FINITE) bits = 0;
    memcpy(some + i, &bits, f.bytes);
  }
  OK(cu.cuMemcpyHtoD(data, some, sizeof some));
  for (size_t at = sizeof some; at < bytes; at += sizeof some)
    OK(cu.cuMemcpyDtoD(data + at, data, sizeof some));
}

/* ---- what is measured ----------------------------------------------------------------------- */

static void read_memory(void) {
  static const struct {
    const char *name;
    unsigned vectors;
  } ways[] = {{"read_2", 2}, {"read_4", 4}, {"read_8", 8}};
  static const unsigned threads[] = {256, 512, 1024}, of_sm[] = {2, 4, 8, 16, 64};
  struct {
    uint64_t data, vectors;
    void *never;
  } argument = {data, bytes / 16, mapped};
  double best = 1e9;
  for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
    for (size_t t = 0; t < 3; t++)
      for (size_t b = 0; b < sizeof of_sm / sizeof *of_sm; b++) {
        unsigned blocks = (unsigned)sms * of_sm[b];
        double s;
        if (of_sm[b] < 16 && of_sm[b] * threads[t] > 2048) continue;
        s = time_of(function_of(reading, ways[w].name), blocks, threads[t], &argument, 1);
        if (s >= best) continue;
        best = s;
        fprintf(stderr, "read: %s, %u threads, %u blocks an SM: %.1f GB/s\n", ways[w].name,
                threads[t], of_sm[b], (double)bytes / s / 1e9);
      }
  print_time("read", best, bytes);
  print_time("empty_launch",
             time_of(function_of(reading, "nothing"), 1, AGK_THREADS, &argument, 200), 0);
  print_time("empty_in_graph",
             time_in_graph(function_of(reading, "nothing"), 1, AGK_THREADS, &argument, 200), 0);
}

static void time_kernels(const char *name, agk_format f) {
  agk_dense a = {.data = (const void *)(uintptr_t)data,
                 .numel = (int64_t)(bytes / f.bytes),
                 .format = f,
                 .words = agk_words_of(f)};
  unsigned blocks = (unsigned)(sms * per_sm);
  char kernel[64];
  fill_memory(f);
  a.out.ticket = (uint32_t *)(uintptr_t)scratch;
  a.out.partials = (agk_result *)(uintptr_t)(scratch + 64);
  a.out.result = (agk_result *)(void *)mapped;
  snprintf(kernel, sizeof kernel, AGK_SUMMARY_PREFIX "%s", name);
  print_time(kernel + strlen("aotigen_"),
             time_of(function_of(scanning, kernel), blocks, AGK_THREADS, &a, 1), bytes);
  if (a.out.result->bad) check(1, "what is finite was found bad");
  snprintf(kernel, sizeof kernel, "bad_%s", name);
  print_time(kernel, time_of(function_of(scanning, AGK_BAD_DENSE), blocks, AGK_THREADS, &a, 1),
             bytes);
}

/* Like give_blocks() of runtime/cuda/async_scan.c. */
static unsigned blocks_of(size_t each, unsigned targets, bool sums) {
  unsigned most = (unsigned)sms * (sums ? AGK_SUM_BLOCKS_PER_SM : AGK_BLOCKS_PER_SM) / targets;
  unsigned blocks = (unsigned)((each + TILE - 1) / TILE),
           small = (unsigned)((each + TILE / 4 - 1) / (TILE / 4));
  if (sums && blocks < SMALL_TILES) blocks = small < SMALL_TILES ? small : SMALL_TILES;
  return blocks < most ? blocks : most;
}

/* sums: with a summary, and three elements of either end. */
static void time_batch(unsigned targets, size_t each, bool sums) {
  OK(cu.cuMemsetD32(scratch, 0,
                    (1 << 20) / 4)); /* a pass over one tensor leaves its partial results there */
  const agk_format f = {AGK_FLOATING, 4, 1, 8, 23, AGK_IEEE};
  agk_batch a = {.head = {.count = (int32_t)targets,
                          .scratch = (void *)(uintptr_t)scratch,
                          .done = (uint32_t *)(void *)mapped,
                          .token = 1}};
  static const char *const names[2][2] = {{AGK_BATCH, AGK_BATCH_FEW},
                                          {AGK_BATCH_SUM, AGK_BATCH_SUM_FEW}};
  const char *what = sums ? "batch_sum" : "batch";
  unsigned blocks = blocks_of(each, targets, sums);
  char name[64];
  void *function;
  for (unsigned i = 0; i < targets; i++)
    a.targets[i] = (agk_target){.data = (const void *)(uintptr_t)(data + i * each),
                                .numel = (int64_t)(each / 4),
                                .format = f,
                                .end_block = blocks * (i + 1),
                                .found = (agk_found *)(void *)(mapped + 4096 + 512 * i),
                                .summary = sums,
                                .head = sums ? 3 : 0,
                                .tail = sums ? 3 : 0,
                                .edges = sums ? mapped + 16384 + 64 * i : NULL};
  function = function_of(scanning, names[sums][targets <= AGK_FEW]);
  snprintf(name, sizeof name, "%s_%ux%zu", what, targets, each);
  print_time(name, time_of(function, blocks * targets, AGK_THREADS, &a, 200), targets * each);
  snprintf(name, sizeof name, "%s_in_graph_%ux%zu", what, targets, each);
  print_time(name, time_in_graph(function, blocks * targets, AGK_THREADS, &a, 200), targets * each);
  if (*a.head.done != 2) check(1, "what is finite was found bad");
}

int main(int argc, char **argv) {
#define FORMAT(name, cls, width, exponent, mantissa, special)                                      \
  {#name, {cls, width, 1, exponent, mantissa, special}},
  static const struct {
    const char *name;
    agk_format f;
  } formats[] = {AGK_SUMMARY_FORMATS(FORMAT)};
  static const size_t sizes[] = {4096, 393216, 1572864};
  char name[128];
  int device;
  void *context;
  if (argc < 3) check(1, "usage: stats READ.fatbin STATS.fatbin [GIB [BLOCKS]]");
  bytes = (argc > 3 ? (size_t)atoi(argv[3]) : 4) << 30;
  if (argc > 4) per_sm = atoi(argv[4]);
  open_driver();
  OK(cu.cuInit(0));
  OK(cu.cuDeviceGet(&device, 0));
  OK(cu.cuDeviceGetName(name, sizeof name, device));
  OK(cu.cuDeviceGetAttribute(&sms, MULTIPROCESSORS, device));
  OK(cu.cuDevicePrimaryCtxRetain(&context, device));
  OK(cu.cuCtxSetCurrent(context));
  fprintf(stderr, "%s, %d multiprocessors\n", name, sms);
  reading = module_of(argv[1]);
  scanning = module_of(argv[2]);
  OK(cu.cuMemAlloc(&data, bytes));
  OK(cu.cuMemAlloc(&scratch, 1 << 20)); /* 64 blocks for each of 150 multiprocessors */
  OK(cu.cuMemsetD32(scratch, 0, (1 << 20) / 4));
  OK(cu.cuMemHostAlloc((void **)&mapped, 1 << 16, 3));
  OK(cu.cuStreamCreate(&stream, 1));
  OK(cu.cuEventCreate(&begun, 0));
  OK(cu.cuEventCreate(&ended, 0));
  fill_memory(formats[0].f);
  read_memory();
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (formats[i].f.cls == AGK_FLOATING && formats[i].f.special < AGK_FNUZ &&
        formats[i].f.bytes <= 4)
      time_kernels(formats[i].name, formats[i].f);
  for (unsigned sums = 0; sums < 2; sums++)
    for (unsigned targets = 1; targets <= AGK_TARGETS; targets *= 4)
      for (size_t i = 0; i < 3; i++) time_batch(targets, sizes[i], sums);
  time_batch(1, 16 << 20, false);
  time_batch(1, 16 << 20, true);
  return 0;
}
