/* event_timer.c - see event_timer.h. */
#define _GNU_SOURCE
#include "cuda/event_timer.h"

#include <stdlib.h>
#include <string.h>

#include "base/fork_lock.h"
#include "base/settings.h"
#include "cuda/async_device.h"
#include "cuda/kernel_image.h"
#include "kernels.h"

enum { HOLD_NS = 200000, EMPTY = 32, PAIRS = 256 };

/* In pinned memory. `go`: the host has made that many launches; `late`: the last one for which the
 * device did not wait until then. */
typedef struct words {
  uint32_t go, late;
} words;

typedef struct timer_pair {
  int32_t device_index;
  void *from, *to; /* CUevent */
  words *at;
  uint64_t at_on_device;
  uint32_t number; /* of its launches */
} timer_pair;

/* What a device has; under the lock but for `empty_ns`. */
typedef struct timer_device {
  bool begun, holds; /* holds: it can run the kernel */
  ag_pinned memory;  /* the words of the next pairs */
  void *empty[EMPTY];
  unsigned nempty;            /* of these, that were recorded */
  _Atomic int64_t empty_ns;   /* what an empty pair takes; NOT_KNOWN until it is measured */
} timer_device;

enum { NOT_KNOWN = -1 };
static timer_device devices[AG_CUDA_DEVICES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
AG_FORK_LOCK(lock)

/* ---- what the stream is given --------------------------------------------------------------- */

static const char *record(ag_cuda_scope *scope, void *event) {
  return ag_cuda_failed(scope, "cuEventRecord", scope->cu->cuEventRecord(event, scope->stream));
}

static const char *hold(ag_cuda_scope *scope, const timer_pair *p) {
  words *on_device = (words *)(uintptr_t)p->at_on_device;
  agk_hold a = {.go = &on_device->go,
                .late = &on_device->late,
                .until = p->number,
                .most_ns = HOLD_NS};
  return ag_cuda_launch(scope, NULL, AGK_HOLD, 1, 1, &a);
}

static void let_go(timer_pair *p) { __atomic_store_n(&p->at->go, p->number, __ATOMIC_RELEASE); }

static const char *begin(void *of, void *stream, bool waits) {
  timer_pair *p = of;
  ag_cuda_scope scope;
  const char *why = ag_cuda_enter_quick(&scope, p->device_index, stream);
  if (why) return why;
  p->number++;
  if (devices[p->device_index].holds && !waits) why = hold(&scope, p);
  if (!why) why = record(&scope, p->from);
  if (why) let_go(p);
  ag_cuda_leave(&scope);
  return why;
}

static const char *end(void *of, void *stream) {
  timer_pair *p = of;
  ag_cuda_scope scope;
  const char *why = ag_cuda_enter_quick(&scope, p->device_index, stream);
  if (!why) {
    why = record(&scope, p->to);
    ag_cuda_leave(&scope);
  }
  let_go(p);
  return why;
}

static void drop(void *of) { let_go(of); }

/* ---- making pairs --------------------------------------------------------------------------- */

static const char *make_event(ag_cuda_scope *scope, void **event) {
  return ag_cuda_failed(scope, "cuEventCreate", scope->cu->cuEventCreate(event, 0));
}

/* The lock is held. Memory for the words of more pairs. */
static const char *equip(ag_cuda_scope *scope, timer_device *d, timer_pair *p) {
  if (!d->memory.device || d->memory.used == d->memory.size) {
    d->memory = (ag_pinned){0};
    const char *why = ag_cuda_pin(scope, PAIRS * sizeof(words), &d->memory);
    if (why) return why;
  }
  p->at = (words *)(void *)(d->memory.host + d->memory.used);
  p->at_on_device = d->memory.device + d->memory.used;
  d->memory.used += sizeof(words);
  return NULL;
}

static const char *fill(ag_cuda_scope *scope, timer_device *d, timer_pair *p) {
  const char *why = equip(scope, d, p);
  if (!why) why = make_event(scope, &p->from);
  return why ? why : make_event(scope, &p->to);
}

/* Records events on the side stream, one directly behind the other, while it is held. */
static const char *record_empty(ag_cuda_scope *scope, timer_device *d, timer_pair *p) {
  const char *why = NULL;
  scope->stream = ag_cuda_side_stream(scope);
  if (!scope->stream) return NULL;
  p->number++;
  if (d->holds) why = hold(scope, p);
  for (; d->nempty < EMPTY && !why; d->nempty++) {
    why = make_event(scope, &d->empty[d->nempty]);
    if (!why) why = record(scope, d->empty[d->nempty]);
  }
  let_go(p);
  return why;
}

/* The lock is held. */
static const char *begin_device(ag_cuda_scope *scope, timer_device *d, timer_pair *p) {
  const char *why = ag_cuda_load(scope, ag_cuda_kernel_image(), &d->holds);
  /* The host would wait for the kernel that waits for it. */
  if (ag_settings_get()->blocking) d->holds = false;
  if (!why && d->holds) why = ag_cuda_ready_kernel(scope, AGK_HOLD);
  atomic_store(&d->empty_ns, NOT_KNOWN);
  if (!why) why = record_empty(scope, d, p);
  d->begun = !why;
  return why;
}

static const char *make(int32_t device_index, void **pair) {
  ag_cuda_scope scope;
  timer_pair *p = calloc(1, sizeof *p);
  const char *why = p ? ag_cuda_enter_apart(&scope, device_index) : ag_cuda_message("no memory");
  if (why) {
    free(p);
    return why;
  }
  timer_device *d = &devices[device_index];
  p->device_index = device_index;
  pthread_mutex_lock(&lock);
  why = fill(&scope, d, p);
  if (!why && !d->begun) why = begin_device(&scope, d, p);
  pthread_mutex_unlock(&lock);
  ag_cuda_leave(&scope);
  *pair = why ? NULL : p;
  if (why) free(p);
  return why;
}

/* ---- reading -------------------------------------------------------------------------------- */

static int64_t elapsed_ns(const ag_cuda_scope *scope, void *from, void *to) {
  float ms = 0;
  return scope->cu->cuEventElapsedTime(&ms, from, to) ? -1 : (int64_t)((double)ms * 1e6 + 0.5);
}

static int compare(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* The median of what is between two events, once all are there; 0 where there are none. */
static void measure_empty(const ag_cuda_scope *scope, timer_device *d) {
  int64_t ns[EMPTY];
  unsigned n = 0;
  if (d->nempty && scope->cu->cuEventQuery(d->empty[d->nempty - 1]) == AG_CU_NOT_READY) return;
  for (unsigned i = 1; i < d->nempty; i++) {
    ns[n] = elapsed_ns(scope, d->empty[i - 1], d->empty[i]);
    n += ns[n] >= 0;
  }
  qsort(ns, n, sizeof *ns, compare);
  atomic_store(&d->empty_ns, n ? ns[n / 2] : 0);
}

static int64_t empty_of(const ag_cuda_scope *scope, timer_device *d) {
  if (atomic_load(&d->empty_ns) == NOT_KNOWN) {
    pthread_mutex_lock(&lock);
    if (atomic_load(&d->empty_ns) == NOT_KNOWN) measure_empty(scope, d);
    pthread_mutex_unlock(&lock);
  }
  return atomic_load(&d->empty_ns);
}

static enum ag_timer_state read_pair(void *of, int64_t *ns, bool *late) {
  const timer_pair *p = of;
  ag_cuda_scope scope;
  enum ag_timer_state state = AG_TIMER_LOST;
  if (ag_cuda_enter_apart(&scope, p->device_index)) return state;
  const int error = scope.cu->cuEventQuery(p->to);
  const int64_t empty = error ? 0 : empty_of(&scope, &devices[p->device_index]);
  if (error == AG_CU_NOT_READY || empty == NOT_KNOWN) {
    state = AG_TIMER_RUNS;
  } else if (!error) {
    const int64_t all = elapsed_ns(&scope, p->from, p->to);
    *ns = all > empty ? all - empty : 0;
    *late = __atomic_load_n(&p->at->late, __ATOMIC_ACQUIRE) == p->number;
    state = all < 0 ? AG_TIMER_LOST : AG_TIMER_DONE;
  }
  ag_cuda_leave(&scope);
  return state;
}

static int64_t empty_ns(int32_t device_index) {
  const bool is_one = device_index >= 0 && device_index < AG_CUDA_DEVICES;
  const int64_t ns = is_one ? atomic_load(&devices[device_index].empty_ns) : 0;
  return ns == NOT_KNOWN ? 0 : ns;
}

const ag_timer_ops ag_event_timer_ops = {.make = make,
                                         .begin = begin,
                                         .end = end,
                                         .drop = drop,
                                         .read = read_pair,
                                         .empty_ns = empty_ns};
