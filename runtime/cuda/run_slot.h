/* cuda_lane.h - what a run has of a CUDA device: a little memory on it, and words of the host's
 * that its stream writes.
 *
 * Lanes are made when first needed and never freed, like the slots of cuda_driver.c and for their
 * reason: a graph that was captured keeps its own. Nothing but making a slot or pinning memory
 * allocates, and nothing but making one waits, for the device's side stream. A slot is its run's
 * thread's; who judges reads and writes `board` and `doubtful` alone.
 */
#ifndef AOTIGEN_CUDA_RUN_SLOT_H
#define AOTIGEN_CUDA_RUN_SLOT_H

#include "tensor/backend.h"
#include "cuda/driver.h"
#include "kernels.h"

/* All slots together stay below 750 KiB of device memory. The small ones, for runs that print no
 * values, do with a part of a batch's scratch. Behind what a batch without summaries uses of it a
 * pass over one tensor by itself has its partial results: the stream runs one after the other. */
enum {
  AG_SMALL_SLOTS = 64, /* of a device: each thread's runs that are under way, and graphs */
  AG_LARGE_SLOTS = 12,
  AG_SLOTS_OF_GRAPHS =
      3, /* of each 4, for a graph keeps its own for good, and runs would have to wait for ever */
  AG_SLOT_RANGES = 16,
  AG_REPLAY_AT = 0,
  AG_TICKET_AT = 64,
  AG_SCRATCH_AT = 128,
  AG_PARTIALS_AT = AG_SCRATCH_AT + AGK_BAD_BYTES,
  AG_SMALL_BYTES = AG_PARTIALS_AT + 16 * sizeof(agk_result),
  AG_LARGE_BYTES = AG_SCRATCH_AT + AGK_SCRATCH_BYTES
};

/* Words that the stream writes, in pinned memory. */
typedef struct ag_board {
  uint32_t mark, state; /* state: of a graph's replay */
  _Alignas(64) agk_replayed replayed;
} ag_board;

typedef struct ag_run_slot {
  struct ag_run_slot *next;
  int32_t device_index;
  bool large;
  ag_cuda_address scratch; /* an agk_replay, a pass's ticket, a batch's scratch */
  ag_pinned memory;
  ag_board *board; /* in it */
  bool captured;   /* what it is given now goes into a graph */
  uint32_t token;
  _Atomic uint32_t doubtful; /* a replay that may have begun while the one before it was kept: then
                                its answers are not */
  unsigned nranges;          /* memory that was found to be there, of this run */
  struct {
    uint64_t from, to;
  } ranges[AG_SLOT_RANGES];
} ag_run_slot;

/* Where the device finds what stands at `host` in pinned memory. */
static inline void *ag_on_device(const ag_pinned *p, const void *host) {
  return (void *)(uintptr_t)(p->device + (uint64_t)((const char *)host - p->host));
}

static inline ag_cuda_address ag_run_slot_at(const ag_run_slot *l, unsigned offset) {
  return l->scratch + offset;
}
static inline size_t ag_run_slot_bytes(const ag_run_slot *l) {
  return l->large ? AG_LARGE_BYTES : AG_SMALL_BYTES;
}
static inline uint32_t ag_run_slot_partials(const ag_run_slot *l) {
  return (uint32_t)((ag_run_slot_bytes(l) - AG_PARTIALS_AT) / sizeof(agk_result));
}

/* backend.h's ag_async, as its members are named. */
const char *ag_run_slot_take(int32_t device_index, bool ready, bool large, void **taken);
void ag_run_slot_give(void *slot);
const char *ag_run_slot_pin(int32_t device_index, size_t bytes, ag_pinned *memory);
const char *ag_run_slot_mark(void *slot, void *stream, uint32_t number);
uint32_t ag_run_slot_marked(const void *slot);
const char *ag_run_slot_replay_begin(void *slot, void *stream);
const char *ag_run_slot_replay_end(void *slot, void *stream, bool keep);
uint32_t ag_run_slot_replay_next(const void *slot, uint32_t *missed);
void ag_run_slot_replay_taken(void *slot);
uint32_t ag_run_slot_replaying(const void *slot);
const char *ag_run_slot_alive(int32_t device_index);
void *ag_run_slot_side_stream(int32_t device_index);

#endif
