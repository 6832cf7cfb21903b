/* cuda_lane.h - what a run has of a CUDA device: a little memory on it, and words of the host's that its stream writes.
 *
 * Lanes are made when first needed and never freed, like the slots of cuda_driver.c and for their reason: a graph that was
 * captured keeps its own. Nothing here synchronises, and nothing but making a lane or pinning memory allocates.
 */
#ifndef AOTIGEN_CUDA_LANE_H
#define AOTIGEN_CUDA_LANE_H

#include "cuda_driver.h"
#include "kernels.h"
#include "backend.h"

enum {
  AG_LANES = 64,           /* of a device */
  AG_LANE_RANGES = 16,
  AG_PARTIALS = 264,       /* results of blocks: of a pass over one tensor by itself */
  AG_PARTIALS_AT = AGK_SCRATCH_BYTES + 64,
  AG_REPLAY_AT = AG_PARTIALS_AT + AG_PARTIALS * sizeof(agk_result),
  AG_LANE_BYTES = AG_REPLAY_AT + 64
};

/* Words that the stream writes, in pinned memory. */
typedef struct ag_board {
  uint32_t mark, state; /* state: of a graph's replay */
  _Alignas(64) agk_replayed replayed;
} ag_board;

typedef struct ag_lane {
  struct ag_lane *next;
  int32_t device_index;
  ag_cuda_address scratch; /* AGK_SCRATCH_BYTES of a watch; the ticket and the partials of a pass; an agk_replay */
  ag_pinned memory;
  ag_board *board;         /* in it */
  bool captured;           /* what it is given now goes into a graph */
  uint32_t token;
  _Atomic uint32_t doubtful; /* a replay that may have begun while the one before it was kept: then its answers are not */
  unsigned nranges;        /* memory that was found to be there, of this run */
  struct { uint64_t from, to; } ranges[AG_LANE_RANGES];
} ag_lane;

/* Where the device finds what stands at `host` in pinned memory. */
static inline void *ag_on_device(const ag_pinned *p, const void *host) { return (void *)(uintptr_t)(p->device + (uint64_t)((const char *)host - p->host)); }

/* backend.h's ag_async, as its members are named. */
const char *ag_lane_take(int32_t device_index, bool ready, void **taken);
void ag_lane_give(void *lane);
const char *ag_lane_pin(int32_t device_index, size_t bytes, ag_pinned *memory);
const char *ag_lane_mark(void *lane, void *stream, uint32_t number);
uint32_t ag_lane_marked(const void *lane);
const char *ag_lane_replay_begin(void *lane, void *stream);
const char *ag_lane_replay_end(void *lane, void *stream, bool keep);
uint32_t ag_lane_replay_next(const void *lane, uint32_t *missed);
void ag_lane_replay_taken(void *lane);
uint32_t ag_lane_replaying(const void *lane);
const char *ag_lane_alive(int32_t device_index);
void *ag_lane_side_stream(int32_t device_index);

#endif
