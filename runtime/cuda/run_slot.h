/* run_slot.h - what a run needs of a CUDA device: some of its memory, and words of the host's that
 * its stream writes. backend.h's ag_slot_ops and ag_replay_ops.
 *
 * Slots are made when first needed and never freed, like the workspaces of driver.h and for the
 * same reason; a graph that was captured keeps its slot. Only making a slot allocates, and only
 * that waits, for the side stream. A slot belongs to the thread of its run; an evaluator on another
 * thread uses `words` and `unkept_replay` alone.
 */
#ifndef AOTIGEN_CUDA_RUN_SLOT_H
#define AOTIGEN_CUDA_RUN_SLOT_H

#include "cuda/driver.h"
#include "kernels.h"
#include "tensor/backend.h"

/* How many slots a device has: all together take less than 750 KiB of its memory. Runs that print
 * no values take a small one. */
enum {
  AG_SMALL_SLOTS = 64, /* for each thread's runs that are in flight, and for graphs */
  AG_LARGE_SLOTS = 12,
  AG_SLOTS_OF_GRAPHS = 3, /* of each 4: a graph keeps its slot for good, and with none left runs
                             would wait for ever */
  AG_SLOT_RANGES = 16
};

/* Where things are in a slot's device memory, in bytes. A small slot has only the part of a batch's
 * scratch that a batch without summaries uses. Partial results of a pass over one tensor overlap
 * the rest of that scratch: the stream runs one kernel after the other. */
enum {
  AG_REPLAY_AT = 0,    /* agk_replay */
  AG_TICKET_AT = 64,   /* uint32_t, of a pass over one tensor */
  AG_SCRATCH_AT = 128, /* of a batch */
  AG_PARTIALS_AT = AG_SCRATCH_AT + AGK_BAD_BYTES,
  AG_SMALL_BYTES = AG_PARTIALS_AT + 16 * sizeof(agk_result),
  AG_LARGE_BYTES = AG_SCRATCH_AT + AGK_SCRATCH_BYTES
};

/* Words that the stream writes, in pinned memory. */
typedef struct ag_slot_words {
  uint32_t mark;
  uint32_t replay_state; /* of a graph: whether a replay has begun, or ended */
  _Alignas(64) agk_replayed replayed;
} ag_slot_words;

typedef struct ag_run_slot {
  struct ag_run_slot *next;
  int32_t device_index;
  bool large;
  ag_cuda_address scratch; /* the device memory */
  ag_pinned memory;
  ag_slot_words *words, *words_on_device; /* `memory`, as the host and as the device address it */
  bool captured;                          /* what the stream is given now goes into a graph */
  uint32_t token;                         /* of the batch that was started last */
  _Atomic uint32_t unkept_replay; /* a replay that may have begun while the results of the one
                                     before it were kept: its own are not. 0: none */
  unsigned nranges;               /* ever added; the last AG_SLOT_RANGES are in `ranges` */
  struct {
    uint64_t from, to;
  } ranges[AG_SLOT_RANGES]; /* memory that the device can read, as the driver said in this run */
} ag_run_slot;

static inline size_t ag_run_slot_bytes(const ag_run_slot *slot) {
  return slot->large ? AG_LARGE_BYTES : AG_SMALL_BYTES;
}
/* How many partial results of a pass over one tensor there is room for. */
static inline uint32_t ag_run_slot_partials(const ag_run_slot *slot) {
  return (uint32_t)((ag_run_slot_bytes(slot) - AG_PARTIALS_AT) / sizeof(agk_result));
}

extern const ag_slot_ops ag_run_slot_ops;
extern const ag_replay_ops ag_run_slot_replay_ops;

#endif
