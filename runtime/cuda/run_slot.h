/* run_slot.h - what a run needs of a CUDA device: some device memory, and words in host memory that
 * its stream writes. backend.h's ag_slot_ops and ag_replay_ops.
 *
 * Slots are made when first needed and never freed, like the workspaces of driver.h and for the
 * same reason; a captured graph never gives its slot back. Only making a slot allocates and waits,
 * for the side stream. A slot belongs to the thread of its run; an evaluator on another thread uses
 * only `words` and `unkept_replay`. */
#ifndef AOTIGEN_CUDA_RUN_SLOT_H
#define AOTIGEN_CUDA_RUN_SLOT_H

#include "cuda/driver.h"
#include "kernels.h"
#include "tensor/backend.h"

/* The number of slots of a device. All together take less than 750 KiB of its memory. Runs that
 * print no values take a small one. */
enum {
  AG_SMALL_SLOTS = 64, /* for each thread's runs that are in flight, and for graphs */
  AG_LARGE_SLOTS = 12,
  AG_SLOTS_OF_GRAPHS = 3, /* out of each 4; a graph never gives its slot back, and without one left,
                             runs would wait for ever */
  AG_SLOT_RANGES = 16
};

/* The layout of a slot's device memory, in bytes. A small slot has only the part of a batch's
 * scratch that a batch without summaries uses. Partial results of a pass over one tensor overlap
 * the rest of that scratch, since the stream runs one kernel after another. */
enum {
  AG_REPLAY_AT = 0,    /* agk_replay */
  AG_TICKET_AT = 64,   /* uint32_t, for a pass over one tensor */
  AG_SCRATCH_AT = 128, /* for a batch */
  AG_PARTIALS_AT = AG_SCRATCH_AT + AGK_BAD_BYTES,
  AG_SMALL_BYTES = AG_PARTIALS_AT + 16 * sizeof(agk_result),
  AG_LARGE_BYTES = AG_SCRATCH_AT + AGK_SCRATCH_BYTES
};

/* Words that the stream writes, in pinned memory. */
typedef struct ag_slot_words {
  uint32_t mark;
  uint32_t replay_state; /* for a graph: if a replay has begun, or ended */
  _Alignas(64) agk_replayed replayed;
} ag_slot_words;

typedef struct ag_run_slot {
  struct ag_run_slot *next;
  int32_t device_index;
  bool large;
  ag_cuda_address scratch; /* the device memory */
  ag_pinned memory;
  ag_slot_words *words, *words_on_device; /* `memory`, as the host and as the device address it */
  bool captured;                          /* the stream's work now goes into a graph */
  uint32_t token;                         /* the last started batch's */
  _Atomic uint32_t unkept_replay; /* a replay that may have begun while the results of an earlier
                                     one were stored: its own are lost; 0: none */
  unsigned nranges;               /* ever added; the last AG_SLOT_RANGES are in `ranges` */
  struct {
    uint64_t from, to;
  } ranges[AG_SLOT_RANGES]; /* memory that the device can read, as the driver said in this run */
} ag_run_slot;

static inline size_t ag_run_slot_bytes(const ag_run_slot *slot) {
  return slot->large ? AG_LARGE_BYTES : AG_SMALL_BYTES;
}
/* The number of partial results of a pass over one tensor for which there is room. */
static inline uint32_t ag_run_slot_partials(const ag_run_slot *slot) {
  return (uint32_t)((ag_run_slot_bytes(slot) - AG_PARTIALS_AT) / sizeof(agk_result));
}

extern const ag_slot_ops ag_run_slot_ops;
extern const ag_replay_ops ag_run_slot_replay_ops;

#endif
