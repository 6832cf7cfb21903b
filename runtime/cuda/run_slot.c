/* run_slot.c - see run_slot.h. */
#define _GNU_SOURCE
#include "cuda/run_slot.h"

#include <stdlib.h>
#include <string.h>

#include "base/settings.h"
#include "cuda/async_device.h"
#include "cuda/kernel_image.h"

enum { NO_REPLAY, REPLAY_BEGUN, REPLAY_ENDED }; /* ag_slot_words.replay_state */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* The slots of each device, small and large ones. */
static struct {
  ag_run_slot *free;
  ag_run_slot *unfinished; /* making these failed; their allocations are reused */
  int made;
  int captured; /* taken for captures, and never given back */
} pools[AG_CUDA_DEVICES][2];

/* ---- making one ----------------------------------------------------------------------------- */

static ag_run_slot *begin_slot(int32_t device_index, bool large) {
  pthread_mutex_lock(&lock);
  ag_run_slot *slot = pools[device_index][large].unfinished;
  if (slot) pools[device_index][large].unfinished = slot->next;
  pthread_mutex_unlock(&lock);
  if (!slot) slot = calloc(1, sizeof *slot);
  if (slot) {
    slot->device_index = device_index;
    slot->large = large;
  }
  return slot;
}

/* Loads the kernels now. The driver may load a kernel when it is first requested, which must not
 * happen in a capture. */
static const char *load_kernels(ag_cuda_scope *scope, bool sums) {
  static const char *const names[] = {AGK_BATCH,      AGK_BATCH_FEW, AGK_REPLAY_BEGIN,
                                      AGK_REPLAY_END, AGK_BATCH_SUM, AGK_BATCH_SUM_FEW};
  const char *why = NULL;
  for (size_t i = 0; i < (sums ? 6 : 4) && !why; i++) why = ag_cuda_ready_kernel(scope, names[i]);
  return why;
}

/* After a failure, the slot retains what it has, and the next run tries again. */
static const char *equip_slot(ag_run_slot *slot) {
  ag_cuda_scope scope;
  bool usable;
  const char *why = ag_cuda_enter_apart(&scope, slot->device_index);
  if (why) return why;
  why = ag_cuda_load(&scope, ag_cuda_kernel_image(), &usable);
  if (!why && !usable)
    why = ag_cuda_message("there are no kernels for device 'cuda:%d'", (int)slot->device_index);
  if (!why) why = load_kernels(&scope, slot->large);
  if (!why && !slot->memory.device) why = ag_cuda_pin(&scope, sizeof(ag_slot_words), &slot->memory);
  if (!why && !slot->scratch) {
    why = ag_cuda_failed(&scope, "cuMemAlloc",
                         scope.cu->cuMemAlloc(&slot->scratch, ag_run_slot_bytes(slot)));
    if (why) slot->scratch = 0;
  }
  if (!why) why = ag_cuda_clear(&scope, slot->scratch, ag_run_slot_bytes(slot));
  slot->words = (ag_slot_words *)(void *)slot->memory.host;
  slot->words_on_device = (ag_slot_words *)(uintptr_t)slot->memory.device;
  ag_cuda_leave(&scope);
  return why;
}

static const char *make_slot(int32_t device_index, bool large, ag_run_slot **made) {
  ag_run_slot *slot = begin_slot(device_index, large);
  const char *why = slot ? equip_slot(slot) : ag_cuda_message("out of memory");
  if (!why) *made = slot;
  if (!why || !slot) return why;
  pthread_mutex_lock(&lock);
  slot->next = pools[device_index][large].unfinished;
  pools[device_index][large].unfinished = slot;
  pthread_mutex_unlock(&lock);
  return why;
}

/* ---- taking one ----------------------------------------------------------------------------- */

/* A free slot, or NULL; *may_make: there is none, but another one may be made, and is counted. */
static ag_run_slot *take_free(int32_t device_index, bool for_capture, bool large, bool *may_make) {
  int most = large ? AG_LARGE_SLOTS : AG_SMALL_SLOTS;
  ag_run_slot *slot = NULL;
  pthread_mutex_lock(&lock);
  if (!for_capture || pools[device_index][large].captured < most * AG_SLOTS_OF_GRAPHS / 4)
    slot = pools[device_index][large].free;
  if (slot) pools[device_index][large].free = slot->next;
  if (slot && for_capture) pools[device_index][large].captured++;
  *may_make = !slot && !for_capture && pools[device_index][large].made < most;
  if (*may_make) pools[device_index][large].made++;
  pthread_mutex_unlock(&lock);
  return slot;
}

static const char *take_slot(int32_t device_index, bool ready, bool sums, void **taken) {
  bool may_make;
  const char *why = NULL;
  *taken = NULL;
  if (device_index < 0 || device_index >= AG_CUDA_DEVICES)
    return ag_cuda_message("no such device 'cuda:%d'", (int)device_index);
  if ((why = ag_cuda_sticky_error(device_index))) return why;
  ag_run_slot *slot = take_free(device_index, ready, sums, &may_make);
  if (may_make) why = make_slot(device_index, sums, &slot);
  if (why) {
    pthread_mutex_lock(&lock);
    pools[device_index][sums].made--;
    pthread_mutex_unlock(&lock);
    return why;
  }
  if (!slot) return NULL;
  *(volatile uint32_t *)&slot->words->mark = 0;
  slot->captured = false;
  slot->nranges = 0;
  *taken = slot;
  return NULL;
}

static void give_slot(void *given) {
  ag_run_slot *slot = given;
  pthread_mutex_lock(&lock);
  slot->next = pools[slot->device_index][slot->large].free;
  pools[slot->device_index][slot->large].free = slot;
  pthread_mutex_unlock(&lock);
}

/* ---- marks ---------------------------------------------------------------------------------- */

/* Writes without the memory barrier, which costs the stream two microseconds. The host then reads
 * only what kernels wrote and fenced themselves. cuda.h has the flag for another version of the
 * call. Drivers accept it here too, except in a graph, and not under compute-sanitizer, which
 * counts the refusal as an error of the program. */
static int write_value(ag_cuda_scope *scope, uint64_t at, uint32_t value, bool captured) {
  static atomic_bool refused; /* this driver does not take the flag */
  bool barrier = captured || ag_settings_get()->nvtx || atomic_load(&refused);
  unsigned flags = barrier ? 0 : AG_CU_WRITE_NO_BARRIER;
  int error = scope->cu->cuStreamWriteValue32(scope->stream, at, value, flags);
  if (error != AG_CU_INVALID_VALUE || !flags) return error;
  error = scope->cu->cuStreamWriteValue32(scope->stream, at, value, 0);
  if (!error) atomic_store(&refused, true);
  return error;
}

/* word: in words_on_device. */
static const char *write_word(ag_cuda_scope *scope, ag_run_slot *slot, const uint32_t *word,
                              uint32_t value) {
  int error = write_value(scope, (uint64_t)(uintptr_t)word, value, slot->captured);
  return ag_cuda_failed(scope, "cuStreamWriteValue32", error);
}

static const char *write_mark(void *of, void *stream, uint32_t number) {
  ag_run_slot *slot = of;
  ag_cuda_scope scope;
  const char *why = ag_cuda_enter_quick(&scope, slot->device_index, stream);
  if (why) return why;
  why = write_word(&scope, slot, &slot->words_on_device->mark, number);
  ag_cuda_leave(&scope);
  return why;
}

static uint32_t read_mark(const void *of) {
  return __atomic_load_n(&((const ag_run_slot *)of)->words->mark, __ATOMIC_ACQUIRE);
}

/* ---- replays -------------------------------------------------------------------------------- */

static const char *launch_replay_mark(ag_cuda_scope *scope, ag_run_slot *slot, const char *name,
                                      bool keep) {
  agk_replay_mark a = {.replay = (agk_replay *)(uintptr_t)(slot->scratch + AG_REPLAY_AT),
                       .replayed = &slot->words_on_device->replayed,
                       .keep = keep};
  return ag_cuda_launch(scope, NULL, name, 1, 1, &a);
}

/* A replay writes REPLAY_BEGUN before its first kernel reads if results are still stored
 * (release_replay()). */
static const char *begin_replay(void *of, void *stream) {
  ag_run_slot *slot = of;
  ag_cuda_scope scope;
  const char *why = ag_cuda_enter_quick(&scope, slot->device_index, stream);
  if (why) return why;
  slot->words->replayed = (agk_replayed){0};
  slot->captured = true;
  atomic_store(&slot->unkept_replay, 0);
  why = write_word(&scope, slot, &slot->words_on_device->mark, 0);
  if (!why) why = write_word(&scope, slot, &slot->words_on_device->replay_state, REPLAY_BEGUN);
  if (!why) why = launch_replay_mark(&scope, slot, AGK_REPLAY_BEGIN, false);
  ag_cuda_leave(&scope);
  return why;
}

static const char *end_replay(void *of, void *stream, bool keep) {
  ag_run_slot *slot = of;
  ag_cuda_scope scope;
  const char *why = ag_cuda_enter_quick(&scope, slot->device_index, stream);
  if (why) return why;
  why = launch_replay_mark(&scope, slot, AGK_REPLAY_END, keep);
  if (!why) why = write_word(&scope, slot, &slot->words_on_device->replay_state, REPLAY_ENDED);
  ag_cuda_leave(&scope);
  return why;
}

static uint32_t next_replay(const void *of, uint32_t *missed) {
  const agk_replayed *r = &((const ag_run_slot *)of)->words->replayed;
  if (!__atomic_load_n(&r->held, __ATOMIC_ACQUIRE)) return 0;
  uint32_t reported = __atomic_load_n(&r->reported, __ATOMIC_RELAXED);
  if ((int32_t)(__atomic_load_n(&r->finished, __ATOMIC_ACQUIRE) - reported) < 0) return 0;
  *missed = __atomic_load_n(&r->missed, __ATOMIC_RELAXED);
  return reported;
}

/* A replay first writes that it has begun and then reads `held`; release_replay() first clears
 * `held` and then reads if one has begun. So at least one of them sees the other. */
static bool is_begun(const ag_slot_words *words) {
  return __atomic_load_n(&words->replay_state, __ATOMIC_SEQ_CST) == REPLAY_BEGUN;
}

static void release_replay(void *of) {
  ag_run_slot *slot = of;
  __atomic_store_n(&slot->words->replayed.held, 0, __ATOMIC_SEQ_CST);
  bool begun = is_begun(slot->words);
  atomic_store(&slot->unkept_replay,
               begun ? __atomic_load_n(&slot->words->replayed.finished, __ATOMIC_ACQUIRE) + 1 : 0);
}

static uint32_t running_replay(const void *of) {
  const ag_run_slot *slot = of;
  const agk_replayed *r = &slot->words->replayed;
  uint32_t next = __atomic_load_n(&r->finished, __ATOMIC_ACQUIRE) + 1;
  bool earlier_kept = __atomic_load_n(&r->held, __ATOMIC_ACQUIRE) &&
                      __atomic_load_n(&r->reported, __ATOMIC_RELAXED) != next;
  bool kept = !earlier_kept && next != atomic_load(&slot->unkept_replay);
  return is_begun(slot->words) && kept ? next : 0;
}

const ag_slot_ops ag_run_slot_ops = {
    .take = take_slot,
    .give = give_slot,
    .mark = write_mark,
    .marked = read_mark,
};

const ag_replay_ops ag_run_slot_replay_ops = {
    .begin = begin_replay,
    .end = end_replay,
    .next = next_replay,
    .release = release_replay,
    .running = running_replay,
};
