/* cuda_lane.c - slots, and what a stream writes into their words. Knows the driver and graphs, no
 * tensor. */
#define _GNU_SOURCE
#include "cuda/run_slot.h"

#include <stdlib.h>
#include <string.h>

#include "cuda/kernel_image.h"

enum { BEGUN = 1, ENDED };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Small and large. begun: what was had of one that could not be made; captured: how many went to
 * graphs, or to captures that failed. */
static struct {
  ag_run_slot *free, *begun;
  int made, captured;
} slots[AG_CUDA_DEVICES][2];

/* p: all 0, or what a try for as many bytes left that failed. */
static const char *pin_memory(ag_cuda_scope *scope, size_t bytes, ag_pinned *p) {
  void *host = p->host;
  if (!host) {
    const char *why =
        ag_cuda_failed(scope, "cuMemHostAlloc",
                       scope->cu->cuMemHostAlloc(
                           &host, bytes, AG_CU_HOSTALLOC_PORTABLE | AG_CU_HOSTALLOC_DEVICEMAP));
    if (why) return why;
    memset(host, 0, bytes);
  }
  *p = (ag_pinned){.host = host, .size = bytes};
  const char *why = ag_cuda_failed(scope, "cuMemHostGetDevicePointer",
                                   scope->cu->cuMemHostGetDevicePointer(&p->device, host, 0));
  if (why) p->device = 0;
  return why;
}

static ag_run_slot *begin_slot(int32_t device_index, bool large) {
  pthread_mutex_lock(&lock);
  ag_run_slot *l = slots[device_index][large].begun;
  if (l) slots[device_index][large].begun = l->next;
  pthread_mutex_unlock(&lock);
  if (!l) l = calloc(1, sizeof *l);
  if (l) {
    l->device_index = device_index;
    l->large = large;
  }
  return l;
}

/* The driver may load a kernel when it is first asked for, which is nothing to do in a capture. */
static const char *have_kernels(ag_cuda_scope *scope, bool sums) {
  static const char *const names[] = {AGK_BATCH,      AGK_BATCH_FEW, AGK_REPLAY_BEGIN,
                                      AGK_REPLAY_END, AGK_BATCH_SUM, AGK_BATCH_SUM_FEW};
  const char *why = NULL;
  void *function;
  for (size_t i = 0; i < (sums ? 6 : 4) && !why; i++)
    why = ag_cuda_kernel(scope, names[i], &function);
  return why;
}

/* What was had stays for the next try: it comes with every run. */
static const char *equip_slot(ag_run_slot *l) {
  ag_cuda_scope scope;
  bool usable;
  const char *why = ag_cuda_enter_apart(&scope, l->device_index);
  if (why) return why;
  why = ag_cuda_load(&scope, ag_cuda_kernel_image(), &usable);
  if (!why && !usable)
    why = ag_cuda_message("there are no kernels for device 'cuda:%d'", (int)l->device_index);
  if (!why) why = have_kernels(&scope, l->large);
  if (!why && !l->memory.device) why = pin_memory(&scope, sizeof(ag_board), &l->memory);
  if (!why && !l->scratch) {
    why = ag_cuda_failed(&scope, "cuMemAlloc",
                         scope.cu->cuMemAlloc(&l->scratch, ag_run_slot_bytes(l)));
    if (why) l->scratch = 0;
  }
  if (!why) why = ag_cuda_clear(&scope, l->scratch, ag_run_slot_bytes(l));
  l->board = (ag_board *)(void *)l->memory.host;
  ag_cuda_leave(&scope);
  return why;
}

static const char *make_slot(int32_t device_index, bool large, ag_run_slot **made) {
  ag_run_slot *l = begin_slot(device_index, large);
  const char *why = l ? equip_slot(l) : ag_cuda_message("out of memory");
  if (!why) *made = l;
  if (!why || !l) return why;
  pthread_mutex_lock(&lock);
  l->next = slots[device_index][large].begun;
  slots[device_index][large].begun = l;
  pthread_mutex_unlock(&lock);
  return why;
}

const char *ag_run_slot_take(int32_t device_index, bool ready, bool large, void **taken) {
  int most = large ? AG_LARGE_SLOTS : AG_SMALL_SLOTS;
  ag_run_slot *l = NULL;
  bool room = false;
  const char *why = NULL;
  *taken = NULL;
  if (device_index < 0 || device_index >= AG_CUDA_DEVICES)
    return ag_cuda_message("no such device 'cuda:%d'", (int)device_index);
  if ((why = ag_cuda_sticky_error(device_index))) return why;
  pthread_mutex_lock(&lock);
  if (!ready || slots[device_index][large].captured < most * AG_SLOTS_OF_GRAPHS / 4)
    l = slots[device_index][large].free;
  if (l) slots[device_index][large].free = l->next;
  slots[device_index][large].captured += l && ready;
  if (!l && !ready && slots[device_index][large].made < most) {
    room = true;
    slots[device_index][large].made++;
  }
  pthread_mutex_unlock(&lock);
  if (!l && room) why = make_slot(device_index, large, &l);
  if (why) {
    pthread_mutex_lock(&lock);
    slots[device_index][large].made--;
    pthread_mutex_unlock(&lock);
    return why;
  }
  if (!l) return NULL;
  *(volatile uint32_t *)&l->board->mark = 0;
  l->captured = false;
  l->nranges = 0;
  *taken = l;
  return NULL;
}

void ag_run_slot_give(void *given) {
  ag_run_slot *l = given;
  pthread_mutex_lock(&lock);
  l->next = slots[l->device_index][l->large].free;
  slots[l->device_index][l->large].free = l;
  pthread_mutex_unlock(&lock);
}

const char *ag_run_slot_pin(int32_t device_index, size_t bytes, ag_pinned *memory) {
  ag_cuda_scope scope;
  const char *why = ag_cuda_enter_apart(&scope, device_index);
  if (why) return why;
  *memory = (ag_pinned){0};
  why = pin_memory(&scope, bytes, memory);
  ag_cuda_leave(&scope);
  return why;
}

/* ---- marks ---------------------------------------------------------------------------------- */

/* Without the barrier, which costs the stream two microseconds: nobody reads of other memory what
 * the word says of it, but for what kernels wrote and fenced themselves. cuda.h has that flag for
 * other versions of the call; drivers take it, but not into a graph. */
static int write_value(ag_cuda_scope *scope, uint64_t at, uint32_t value, bool captured) {
  static atomic_bool refused;
  unsigned flags = captured || atomic_load(&refused) ? 0 : AG_CU_WRITE_NO_BARRIER;
  int error = scope->cu->cuStreamWriteValue32(scope->stream, at, value, flags);
  if (error != AG_CU_INVALID_VALUE || !flags) return error;
  error = scope->cu->cuStreamWriteValue32(scope->stream, at, value, 0);
  if (!error) atomic_store(&refused, true);
  return error;
}

static const char *write_word(ag_cuda_scope *scope, ag_run_slot *l, const uint32_t *word,
                              uint32_t value) {
  uint64_t at = (uint64_t)(uintptr_t)ag_on_device(&l->memory, word);
  return ag_cuda_failed(scope, "cuStreamWriteValue32", write_value(scope, at, value, l->captured));
}

const char *ag_run_slot_mark(void *of, void *stream, uint32_t number) {
  ag_run_slot *l = of;
  ag_cuda_scope scope;
  const char *why = ag_cuda_enter_quick(&scope, l->device_index, stream);
  if (why) return why;
  why = write_word(&scope, l, &l->board->mark, number);
  ag_cuda_leave(&scope);
  return why;
}

uint32_t ag_run_slot_marked(const void *of) {
  return __atomic_load_n(&((const ag_run_slot *)of)->board->mark, __ATOMIC_ACQUIRE);
}

/* ---- replays -------------------------------------------------------------------------------- */

static const char *replay_mark(ag_cuda_scope *scope, ag_run_slot *l, const char *name, bool keep) {
  agk_replay_mark a = {.replay = (agk_replay *)(uintptr_t)ag_run_slot_at(l, AG_REPLAY_AT),
                       .replayed = ag_on_device(&l->memory, &l->board->replayed),
                       .keep = keep};
  void *function;
  const char *why = ag_cuda_kernel(scope, name, &function);
  return why ? why : ag_cuda_launch(scope, NULL, function, 1, 1, &a);
}

const char *ag_run_slot_replay_begin(void *of, void *stream) {
  ag_run_slot *l = of;
  ag_cuda_scope scope;
  const char *why = ag_cuda_enter_quick(&scope, l->device_index, stream);
  if (why) return why;
  l->board->replayed = (agk_replayed){0};
  l->captured = true;
  atomic_store(&l->doubtful, 0);
  why = write_word(&scope, l, &l->board->mark, 0);
  if (!why)
    why = write_word(&scope, l, &l->board->state,
                     BEGUN); /* before it is settled whether answers are kept: replay_taken() */
  if (!why) why = replay_mark(&scope, l, AGK_REPLAY_BEGIN, false);
  ag_cuda_leave(&scope);
  return why;
}

const char *ag_run_slot_replay_end(void *of, void *stream, bool keep) {
  ag_run_slot *l = of;
  ag_cuda_scope scope;
  const char *why = ag_cuda_enter_quick(&scope, l->device_index, stream);
  if (why) return why;
  why = replay_mark(&scope, l, AGK_REPLAY_END, keep);
  if (!why) why = write_word(&scope, l, &l->board->state, ENDED);
  ag_cuda_leave(&scope);
  return why;
}

uint32_t ag_run_slot_replay_next(const void *of, uint32_t *missed) {
  const agk_replayed *r = &((const ag_run_slot *)of)->board->replayed;
  if (!__atomic_load_n(&r->held, __ATOMIC_ACQUIRE)) return 0;
  uint32_t reported = __atomic_load_n(&r->reported, __ATOMIC_RELAXED);
  if ((int32_t)(__atomic_load_n(&r->finished, __ATOMIC_ACQUIRE) - reported) < 0) return 0;
  *missed = __atomic_load_n(&r->missed, __ATOMIC_RELAXED);
  return reported;
}

/* A replay says that it has begun, and then asks what is held; replay_taken() lets go, and then
 * asks here: one sees the other. */
static bool is_begun(const ag_board *b) {
  return __atomic_load_n(&b->state, __ATOMIC_SEQ_CST) == BEGUN;
}

void ag_run_slot_replay_taken(void *of) {
  ag_run_slot *l = of;
  __atomic_store_n(&l->board->replayed.held, 0, __ATOMIC_SEQ_CST);
  bool begun = is_begun(l->board);
  atomic_store(&l->doubtful,
               begun ? __atomic_load_n(&l->board->replayed.finished, __ATOMIC_ACQUIRE) + 1 : 0);
}

uint32_t ag_run_slot_replaying(const void *of) {
  const ag_run_slot *l = of;
  uint32_t next = __atomic_load_n(&l->board->replayed.finished, __ATOMIC_ACQUIRE) + 1;
  const agk_replayed *r = &l->board->replayed;
  bool others = __atomic_load_n(&r->held, __ATOMIC_ACQUIRE) &&
                __atomic_load_n(&r->reported, __ATOMIC_RELAXED) !=
                    next; /* answers are there still */
  bool kept = !others && next != atomic_load(&l->doubtful);
  return is_begun(l->board) && kept ? next : 0;
}

/* ---- alive ---------------------------------------------------------------------------------- */

void *ag_run_slot_side_stream(int32_t device_index) {
  ag_cuda_scope scope;
  void *stream;
  if (ag_cuda_enter_apart(&scope, device_index)) return NULL;
  stream = ag_cuda_side_stream(&scope);
  ag_cuda_leave(&scope);
  return stream;
}

/* A stream of ours, with nothing on it: the driver tells of the context's death, and nobody's
 * capture is touched. */
const char *ag_run_slot_alive(int32_t device_index) {
  void *stream = ag_cuda_sticky_error(device_index) ? NULL : ag_run_slot_side_stream(device_index);
  return stream ? ag_cuda_query(device_index, stream) : ag_cuda_sticky_error(device_index);
}
