/* fake_cuda.c - a libcuda.so.1 without a GPU: device memory is host memory, kernels are loops here,
 * errors come on request.
 *
 * Holds its caller to the driver's rules: the device's context must be current, capture must not be
 * disturbed, an error that is sticky stays, a launch must fit. What a caller did wrong is counted
 * (fake_faults) and said on stderr. FAKE_OLD leaves a function out, as an old driver does; EMULATE
 * runs the kernels' own source (emulate.cc) in place of loops.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_stream.h"
#include "kernels.h"

enum { DEVICES = 16, INACTIVE = 15, SMS = 2, CALLS = 64, STACK = 16, RANGES = 4096 };
enum {
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NO_CONTEXT = 201,
  INVALID_DEVICE = 101,
  NOT_FOUND = 500,
  CAPTURE = 900,
  IMPLICIT = 906
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  const char *name;
  int count, nth, error;
} calls[CALLS];
static struct { uintptr_t from, to; } ranges[RANGES];
static int nranges, sticky[DEVICES];
static atomic_int faults;
static char contexts[DEVICES], modules[DEVICES];
static void *_Atomic captured_stream;
static atomic_int capture_status;
static atomic_bool capturing;
static _Thread_local int stack[STACK], depth;
static _Thread_local int thread_mode; /* 0: global, as a thread begins */

/* ---- what tests may ask --------------------------------------------------------------------- */

int fake_faults(void) { return faults; }
int fake_depth(void) { return depth; }
int fake_mode(void) { return thread_mode; }

static int slot_of(const char *name) {
  int i = 0;
  while (calls[i].name && strcmp(calls[i].name, name)) i++;
  if (!calls[i].name) calls[i].name = name;
  return i;
}

int fake_count(const char *name) {
  pthread_mutex_lock(&lock);
  int n = calls[slot_of(name)].count;
  pthread_mutex_unlock(&lock);
  return n;
}

/* The nth call of `name` from now on fails; 0 takes it back. */
void fake_fail(const char *name, int nth, int error) {
  pthread_mutex_lock(&lock);
  int i = slot_of(name);
  calls[i].nth = nth ? calls[i].count + nth : 0;
  calls[i].error = error;
  pthread_mutex_unlock(&lock);
}

/* Takes back those that no call has met: how many there were. */
int fake_disarm(void) {
  int n = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < CALLS; i++) {
    n += calls[i].nth > calls[i].count;
    calls[i].nth = 0;
  }
  pthread_mutex_unlock(&lock);
  return n;
}

void fake_memory(const void *at, size_t bytes) {
  pthread_mutex_lock(&lock);
  ranges[nranges].from = (uintptr_t)at;
  ranges[nranges++].to = (uintptr_t)at + bytes;
  pthread_mutex_unlock(&lock);
}

/* The stream is being captured, in global mode: unsafe calls of a thread that is not relaxed are
 * faults. */
void fake_capture(void *stream, int status) {
  captured_stream = stream;
  capture_status = status;
  capturing = status != 0;
}

/* A context on the thread's stack that is the test's: the runtime must not pop it. */
void fake_push(int device) { stack[depth++] = device; }
void fake_pop(void) { depth--; }
int fake_top(void) { return depth ? stack[depth - 1] : -1; }

/* ---- the rules ------------------------------------------------------------------------------ */

static void fault(const char *what, const char *call) {
  fprintf(stderr, "fake_cuda: %s: %s\n", call, what);
  faults++;
}

static bool is_sticky(int error) { return error == 700 || error == 710 || error == 719; }

/* Counts the call; what it must return at once, or 0. */
static int called(const char *name, bool needs_context, bool unsafe) {
  int error = 0, device = depth ? stack[depth - 1] : -1;
  pthread_mutex_lock(&lock);
  int i = slot_of(name);
  if (++calls[i].count == calls[i].nth) error = calls[i].error;
  if (needs_context && device < 0) error = NO_CONTEXT;
  if (device >= 0 && is_sticky(error)) sticky[device] = error;
  if (device >= 0 && sticky[device] && needs_context) error = sticky[device];
  if (unsafe && capturing && thread_mode != 2) {
    fault("another thread's capture is broken", name);
    error = CAPTURE;
  }
  pthread_mutex_unlock(&lock);
  return error;
}

#define CALL(needs_context, unsafe)                                                                \
  do {                                                                                             \
    int e_ = called(__func__, needs_context, unsafe);                                              \
    if (e_) return e_;                                                                             \
  } while (0)

int cuInit(unsigned flags) {
  CALL(false, false);
  return flags ? INVALID_VALUE : 0;
}

int cuDeviceGet(int *device, int ordinal) {
  CALL(false, false);
  *device = ordinal;
  return ordinal < 0 || ordinal >= DEVICES ? INVALID_DEVICE : 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  CALL(false, false);
  *value = attribute == 16                    ? SMS
           : attribute == 75                  ? 9
           : attribute == 5                   ? 2147483647
           : attribute == 6 || attribute == 7 ? 65535
                                              : -1;
  return device < 0 || device >= DEVICES ? INVALID_DEVICE : 0;
}

int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
  CALL(false, false);
  *flags = 0;
  *active = device != INACTIVE;
  return 0;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
  CALL(false, false);
  if (device == INACTIVE) fault("a context was made that was not there", __func__);
  *context = &contexts[device];
  return 0;
}

int cuCtxPushCurrent_v2(void *context) {
  CALL(false, false);
  stack[depth++] = (int)((char *)context - contexts);
  return 0;
}

int cuCtxPopCurrent_v2(void **context) {
  CALL(false, false);
  if (!depth) return NO_CONTEXT;
  *context = &contexts[stack[--depth]];
  return 0;
}

int cuModuleLoadData(void **module, const void *image) {
  static const unsigned char magic[] = {0x50, 0xed, 0x55, 0xba};
  CALL(true, true);
  *module = &modules[stack[depth - 1]];
  return memcmp(image, magic, 4) ? 200 : 0;
}

static const char *const kernel_names[] = {
#define NAME(name, c, b, e, m, s) AGK_SUMMARY_PREFIX #name,
    AGK_BAD_DENSE, AGK_STRIDED,       AGK_GATHER,       AGK_BATCH,      AGK_BATCH_FEW,
    AGK_BATCH_SUM, AGK_BATCH_SUM_FEW, AGK_REPLAY_BEGIN, AGK_REPLAY_END, AGK_HOLD,
    AGK_SUMMARY_FORMATS(NAME)};

int cuModuleGetFunction(void **function, void *module, const char *name) {
  CALL(true, false);
  if (module != &modules[stack[depth - 1]]) fault("a module of another context", __func__);
  for (size_t i = 0; i < sizeof kernel_names / sizeof *kernel_names; i++)
    if (!strcmp(kernel_names[i], name)) {
      *function = (void *)(uintptr_t)&kernel_names[i];
      return 0;
    }
  return NOT_FOUND;
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  void *p;
  CALL(true, true);
  p = malloc(bytes);
  if (!p) return OUT_OF_MEMORY;
  memset(p, 0xcd, bytes);
  fake_memory(p, bytes);
  *address = (uintptr_t)p;
  return 0;
}

int cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
  CALL(true, true);
  if (flags != 3) fault("host memory that not every context can reach", __func__);
  *address = malloc(bytes);
  return *address ? 0 : OUT_OF_MEMORY;
}

int cuMemHostGetDevicePointer_v2(uint64_t *address, void *host, unsigned flags) {
  CALL(true, false);
  *address = (uintptr_t)host;
  return flags ? INVALID_VALUE : 0;
}

/* ---- work: given to a stream, or to the one graph that a capture makes ---------------------- */

enum { RECORDED = 256, ARGUMENT = 4200 };
static struct {
  void (*work)(void *);
  _Alignas(16) char argument[ARGUMENT];
  size_t bytes;
} recorded[RECORDED];
static int nrecorded;

static void record(void (*work)(void *), const void *argument, size_t n) {
  if (nrecorded == RECORDED || n > ARGUMENT) {
    fault("a graph that is too long", "capture");
    return;
  }
  recorded[nrecorded].work = work;
  recorded[nrecorded].bytes = n;
  memcpy(recorded[nrecorded++].argument, argument, n);
}

/* A replay of that graph. */
void fake_replay_on(void *stream) {
  for (int i = 0; i < nrecorded; i++)
    fake_work(stream, recorded[i].work, recorded[i].argument, recorded[i].bytes);
}

void fake_forget_recording(void) { nrecorded = 0; }

static void give_work(void *stream, void (*work)(void *), const void *argument, size_t n) {
  if (capturing && stream == captured_stream)
    record(work, argument, n);
  else
    fake_work(stream, work, argument, n);
}

#include "fake_events.h"

/* Adds a test's work to a stream, captured or not; the library's work takes the same way. */
void fake_give(void *stream, void (*work)(void *), const void *argument, size_t n) {
  note(stream, 'K');
  give_work(stream, work, argument, n);
}

typedef struct movement {
  void *to;
  const void *from;
  size_t n;
  uint32_t value;
} movement;

static void set_words(void *of) {
  const movement *m = of;
  for (size_t i = 0; i < m->n; i++) memcpy((char *)m->to + 4 * i, &m->value, 4);
}

static void copy(void *of) {
  const movement *m = of;
  memcpy(m->to, m->from, m->n);
}

static void write_word(void *of) {
  const movement *m = of;
  __atomic_store_n((uint32_t *)m->to, m->value, __ATOMIC_RELEASE);
}

int cuMemsetD32Async(uint64_t to, unsigned value, size_t words, void *stream) {
  CALL(true, false);
  fake_work(stream, set_words, &(movement){.to = (void *)(uintptr_t)to, .n = words, .value = value},
            sizeof(movement));
  return 0;
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream) {
  CALL(true, false);
  fake_work(stream, copy, &(movement){.to = (void *)(uintptr_t)to, .from = from, .n = bytes},
            sizeof(movement));
  return 0;
}

int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) {
  CALL(true, false);
  fake_work(stream, copy, &(movement){.to = to, .from = (const void *)(uintptr_t)from, .n = bytes},
            sizeof(movement));
  return 0;
}

int cuStreamWriteValue32_v2(void *stream, uint64_t to, uint32_t value, unsigned flags) {
  CALL(true, false);
  if (flags > 1) fault("a flag that is not modelled", __func__);
  if (flags && capturing && stream == captured_stream)
    return INVALID_VALUE; /* as a driver of CUDA 13.0 has it */
  give_work(stream, write_word, &(movement){.to = (void *)(uintptr_t)to, .value = value},
            sizeof(movement));
  return 0;
}

int cuStreamCreate(void **stream, unsigned flags) {
  CALL(true, false);
  (void)flags;
  *stream = malloc(1);
  return *stream ? 0 : OUT_OF_MEMORY;
}

int cuPointerGetAttribute(void *value, int attribute, uint64_t address) {
  bool found = false;
  CALL(true, false);
  if (attribute == 11 || attribute == 12)
    return INVALID_VALUE; /* whose allocation it is, not every driver tells of every address */
  if (attribute != 13) fault("an attribute that is not modelled", __func__);
  pthread_mutex_lock(&lock);
  for (int i = 0; i < nranges; i++)
    found = found || (address >= ranges[i].from && address < ranges[i].to);
  pthread_mutex_unlock(&lock);
  *(bool *)value = found;
  return found ? 0 : INVALID_VALUE;
}

int cuStreamSynchronize(void *stream) {
  CALL(true, false);
  if (capturing && stream == captured_stream)
    fault("a stream that is being captured was waited for", __func__);
  fake_wait(stream);
  return depth ? sticky[stack[depth - 1]] : 0;
}

int cuStreamQuery(void *stream) {
  CALL(true, true);
  if (capturing && stream == captured_stream)
    fault("a stream that is being captured was asked", __func__);
  return fake_busy(stream) ? 600 : 0;
}

/* The device is lost when the stream comes to this work. */
static void lose_device(void *of) {
  const int *what = of;
  pthread_mutex_lock(&lock);
  sticky[what[0]] = what[1];
  pthread_mutex_unlock(&lock);
  fake_stop();
}

void fake_death(void *stream, int device, int error) {
  fake_work(stream, lose_device, (int[]){device, error}, 2 * sizeof(int));
}

int cuStreamIsCapturing(void *stream, int *status) {
  CALL(true, false);
  *status = capturing && stream == captured_stream ? capture_status : 0;
  return capturing && !stream && captured_stream ? IMPLICIT : 0;
}

#ifndef FAKE_OLD
int cuThreadExchangeStreamCaptureMode(int *mode) {
  CALL(false, false);
  int before = thread_mode;
  thread_mode = *mode;
  *mode = before;
  return 0;
}
#endif

int cuGetErrorName(int error, const char **name) {
  *name = error == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : error == 2 ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == 1 ? "CUDA_ERROR_INVALID_VALUE"
                       : NULL;
  return *name ? 0 : INVALID_VALUE;
}

int cuGetErrorString(int error, const char **text) {
  *text = error == 700 ? "an illegal memory access was encountered"
          : error == 2 ? "out of memory"
          : error == 1 ? "invalid argument"
                       : NULL;
  return *text ? 0 : INVALID_VALUE;
}

/* ---- neither counted nor made to fail; all but cuCtxGetCurrent is asked by tests alone ------ */

int cuDeviceGetName(char *name, int n, int device) {
  return snprintf(name, (size_t)n, "fake device %d", device) < 0;
}

int cuCtxSetCurrent(void *context) {
  depth = context ? 1 : 0;
  if (context) stack[0] = (int)((char *)context - contexts);
  return 0;
}

int cuCtxGetCurrent(void **context) {
  *context = depth ? &contexts[stack[depth - 1]] : NULL;
  return 0;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  memcpy((void *)(uintptr_t)to, from, bytes);
  return 0;
}

int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, void *stream) {
  (void)stream;
  memset((void *)(uintptr_t)to, value, bytes);
  return 0;
}

/* Never called, but looked up. */
#define ABSENT(name)                                                                               \
  int name(void) { return 801; }
ABSENT(cuCtxSynchronize)
ABSENT(cuMemGetInfo_v2)
ABSENT(cuMemFree_v2)
ABSENT(cuMemcpyDtoDAsync_v2)
ABSENT(cuStreamBeginCapture_v2)
ABSENT(cuStreamEndCapture)
ABSENT(cuMemAddressReserve)
ABSENT(cuMemCreate) ABSENT(cuMemMap) ABSENT(cuMemSetAccess)

    int emulate(const char *name, unsigned blocks, const void *argument);

/* ---- the kernels ---------------------------------------------------------------------------- */

#ifndef EMULATE
static const char *element(const void *data, const agk_layout *l, uint64_t index, unsigned item) {
  int64_t offset = 0;
  for (int d = l ? l->ndim - 1 : -1; d >= 0; d--) {
    offset += (int64_t)(index % (uint64_t)l->sizes[d]) * l->strides[d];
    index /= (uint64_t)l->sizes[d];
  }
  return (const char *)data + (l ? offset : (int64_t)index) * item;
}

static void count(uint64_t *n, uint64_t *first, uint64_t index) {
  if ((*n)++ == 0) *first = index;
}

static void take(agk_result *r, agk_format f, const char *at, uint64_t index, bool summary) {
  unsigned kinds = 0, zeros = 0;
  uint64_t bits = 0, key;
  for (unsigned p = 0; p < f.parts; p++) {
    bits = 0;
    memcpy(&bits, at + p * f.bytes, f.bytes);
    kinds |= 1u << agk_classify(f, bits);
    zeros += agk_is_zero(f, bits);
  }
  if (kinds & 1u << AGK_IS_NAN) count(&r->nan, &r->first_nan, index);
  if (kinds & 1u << AGK_IS_POS_INF) count(&r->pos_inf, &r->first_pos_inf, index);
  if (kinds & 1u << AGK_IS_NEG_INF) count(&r->neg_inf, &r->first_neg_inf, index);
  if (kinds != 1u << AGK_IS_FINITE) r->bad++;
  if (kinds != 1u << AGK_IS_FINITE || !summary) return;
  r->zero += zeros == f.parts;
  if (f.parts == 2) return;
  key = agk_key(f, bits);
  r->min_key = key < r->min_key ? key : r->min_key;
  r->max_key = key > r->max_key ? key : r->max_key;
  r->subnormal += agk_is_subnormal(f, bits);
  r->sum += agk_value(f, bits);
  r->sum_squares += agk_value(f, bits) * agk_value(f, bits);
}

static void stats(const void *data, int64_t numel, agk_format f, const agk_layout *l, bool summary,
                  const agk_out *out, unsigned blocks) {
  agk_result r = {.first_nan = AGK_NONE,
                  .first_pos_inf = AGK_NONE,
                  .first_neg_inf = AGK_NONE,
                  .min_key = UINT64_MAX};
  unsigned item = (unsigned)f.bytes * f.parts;
  for (int64_t i = 0; i < numel; i++)
    take(&r, f, element(data, l, (uint64_t)i, item), (uint64_t)i, summary);
  if (*out->ticket) fault("the ticket is not 0", "launch");
  for (unsigned i = 0; blocks > 1 && i < blocks; i++) out->partials[i] = r;
  *out->result = r;
}

static void gather(const agk_gather *g) {
  for (int64_t i = 0; i < g->count; i++)
    memcpy((char *)g->to + i * g->item_size,
           element(g->data, &g->layout, (uint64_t)(g->first + i), (unsigned)g->item_size),
           (size_t)g->item_size);
}

static void run(const char *name, unsigned blocks, const void *argument) {
  if (!strcmp(name, AGK_GATHER)) {
    const agk_gather *g = argument;
    if (!g->layout.bytewise && (uintptr_t)g->data % (uintptr_t)g->item_size)
      fault("misaligned", name);
    gather(g);
  } else if (!strcmp(name, AGK_STRIDED)) {
    const agk_strided *s = argument;
    if (!s->layout.bytewise && (uintptr_t)s->data % s->format.bytes) fault("misaligned", name);
    stats(s->data, s->numel, s->format, &s->layout, s->summary, &s->out, blocks);
  } else {
    const agk_dense *d = argument;
    agk_words words = agk_words_of(d->format);
    if ((uintptr_t)d->data % ((unsigned)d->format.bytes * d->format.parts))
      fault("misaligned", name);
    if (memcmp(&words, &d->words, sizeof words)) fault("words of another format", name);
    stats(d->data, d->numel, d->format, NULL, strcmp(name, AGK_BAD_DENSE) != 0, &d->out, blocks);
  }
}
#endif

#include "fake_batch.h"

static void execute(const char *name, unsigned blocks, const void *argument) {
  if (is_batch(name)) check_batch(name, blocks, argument);
#ifdef EMULATE
  if (emulate(name, blocks, argument)) fault("no such kernel", name);
#else
  if (is_batch(name))
    batch(argument, targets_of(name, argument));
  else if (is_mark(name))
    mark(name, argument);
  else if (is_hold(name))
    hold(argument);
  else
    run(name, blocks, argument);
#endif
}

/* A launch on its mode, with a copy of its argument. */
typedef struct launched {
  const char *name;
  unsigned blocks;
  _Alignas(16) char argument[4096];
} launched;

static size_t argument_size(const char *name) {
  return is_batch(name)               ? is_few(name) ? sizeof(agk_batch_few) : sizeof(agk_batch)
                       : !strcmp(name, AGK_STRIDED) ? sizeof(agk_strided)
         : !strcmp(name, AGK_GATHER)  ? sizeof(agk_gather)
         : strstr(name, "replay")     ? sizeof(agk_replay_mark)
         : is_hold(name)              ? sizeof(agk_hold)
                                      : sizeof(agk_dense);
}

static void do_launch(void *of) {
  launched *l = of;
  execute(l->name, l->blocks, l->argument);
}

static void give(void *stream, const char *name, unsigned blocks, const void *argument) {
  launched l = {.name = name, .blocks = blocks};
  memcpy(l.argument, argument, argument_size(name));
  note(stream, is_hold(name) ? 'H' : 'S');
  give_work(stream, do_launch, &l, sizeof l);
}

/* A batch and a graph's marks may stand in a capture: they run when it is replayed. */
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **parameters, void **extra) {
  CALL(true, false);
  const char *name = *(const char *const *)function;
  const bool one = is_mark(name) || is_hold(name);
  const bool recording = capturing && stream == captured_stream;
  called(name, false, false);
  if (gx < 1 ||
      gx > (one                                     ? 1
            : SMS * AGK_BLOCKS_PER_SM > AGK_TARGETS ? SMS * AGK_BLOCKS_PER_SM
                                                    : AGK_TARGETS) ||
      gy * gz * by * bz != 1 || (bx != AGK_THREADS && !(one && bx == 1)) || shared || extra)
    fault("a launch of the wrong shape", name);
  if (recording && !is_batch(name) && !is_mark(name)) fault("a launch into a capture", name);
  give(stream, name, gx, parameters[0]);
  return 0;
}

/* CUlaunchAttribute and CUlaunchConfig. */
struct attribute {
  int id;
  uint64_t value[8];
};

struct config {
  unsigned gx, gy, gz, bx, by, bz, shared;
  void *stream;
  const struct attribute *attributes;
  unsigned n;
};

int cuLaunchKernelEx(const struct config *c, void *function, void **parameters, void **extra) {
  for (unsigned i = 0; i < c->n; i++)
    if (c->attributes[i].id != 6 || (int)c->attributes[i].value[0] != 1)
      fault("an attribute that is not modelled", __func__);
  if (c->n && capturing && c->stream == captured_stream)
    fault("an early launch into a capture", __func__);
  return cuLaunchKernel(function, c->gx, c->gy, c->gz, c->bx, c->by, c->bz, c->shared, c->stream,
                        parameters, extra);
}
