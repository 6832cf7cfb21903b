/* kernels.h - the kernels of stats.cu (and the .cuh files that are parts of it), their arguments
 * and their results.
 *
 * How they get into a model. stats.cu is compiled to a fatbin: SASS for sm_80, sm_90 and sm_100,
 * PTX of compute_80 for every other device. The fatbin is embedded into the library as bytes
 * (runtime/cuda/kernel_image.c); runtime/cuda/driver.c loads it with cuModuleLoadData and finds
 * kernels by name. So neither a compiler nor the CUDA runtime is linked into a model. The Makefile
 * has the command; never add --use_fast_math: subnormals are values. If the driver refuses the
 * fatbin, tensors are copied to the host and scanned there.
 *
 * Launch. A one-dimensional grid of blocks of AGK_THREADS threads (AGK_REPLAY_BEGIN and _END: one
 * thread), no dynamic shared memory, one argument by value: the struct named beside each kernel. If
 * it has an `out`, the grid has at most as many blocks as `out.partials` has room for. Every kernel
 * reads a tensor's logical elements and no other memory of it, writes only where its argument
 * points to, allocates nothing, traps nothing and never waits for the host.
 *
 * Addresses are device addresses. Sizes and strides count elements. Indices are flat and logical,
 * in row-major order of the sizes; 64 bits everywhere.
 */
#ifndef AOTIGEN_KERNELS_H
#define AOTIGEN_KERNELS_H

#include <stdint.h>

#include "decode.h"

#define AGK_THREADS 256
#define AGK_BLOCKS_PER_SM 4 /* a grid of no more is resident as a whole */
#define AGK_VECTORS 4       /* 16-byte loads that a thread has in flight */
#define AGK_MAX_DIMS 64

#define AGK_NONE UINT64_MAX /* no first index */

/* What one pass over a tensor found. Elements are counted; a complex element with one NaN part and
 * one infinite part counts as both. */
typedef struct agk_result {
  uint64_t nan, pos_inf, neg_inf;
  uint64_t bad;       /* the elements that are not finite */
  uint64_t zero;      /* the elements all of whose parts are zero */
  uint64_t subnormal; /* agk_is_subnormal(): never for complex, integers, bools */
  uint64_t first_nan, first_pos_inf, first_neg_inf;
  uint64_t min_key,
      max_key; /* agk_key() of the finite elements; min_key is above max_key if there is none */
  double sum;  /* over the finite elements. The order of addition depends only on the grid */
  double sum_squares; /* over the finite elements, too. In both, the loss of narrow formats is below
                         1e-6 of the sum of |x| (of x * x) */
} agk_result;

/* Where a pass writes its result. The last block to finish merges the blocks' partial results in
 * the order of the blocks: two passes over the same elements with the same grid give the same bits.
 */
typedef struct agk_out {
  agk_result *partials; /* one for each block; unused if there is one block */
  uint32_t *ticket;     /* 0 before the launch, and again after it */
  agk_result *result;   /* may be mapped host memory: written once, with plain stores */
} agk_out;

/* Contiguous elements. `data` is a multiple of the element's size. */
typedef struct agk_dense {
  const void *data;
  int64_t numel;
  agk_format format;
  agk_words words; /* agk_words_of(format) */
  agk_out out;
} agk_dense;

/* Outermost dimension first. ndim may be 0: one element. */
typedef struct agk_layout {
  int64_t sizes[AGK_MAX_DIMS];
  int64_t strides[AGK_MAX_DIMS];
  int32_t ndim;
  int32_t bytewise; /* 1: parts of elements are not aligned, and are read byte by byte */
} agk_layout;

typedef struct agk_strided {
  const void *data;
  int64_t numel;
  agk_format format;
  int32_t summary; /* 0: zero, subnormal, min, max and the sums are not computed */
  agk_layout layout;
  agk_out out;
} agk_strided;

typedef struct agk_gather {
  const void *data;
  int64_t first, count; /* flat indices first .. first + count - 1 */
  void *to;             /* count elements, contiguous; a multiple of 16 */
  int32_t item_size;    /* bytes, any */
  agk_layout layout;
} agk_gather;

/* ---- several tensors in one launch, without waiting ---------------------------------------
 *
 * A batch scans up to AGK_TARGETS tensors, the targets, in one launch and writes the results to
 * mapped host memory, which the host reads later: the launch is as asynchronous as any other.
 * Below, "mapped" means such memory, by its address on the device; all other memory is device
 * memory.
 *
 * In a launch in which nothing is bad, a target with neither summary nor edges leaves no trace but
 * `done`. If something is bad, the last block to finish writes every target's `found` and copies
 * the elements at the first indices. If a target has a bad value of its probe_kinds, that block
 * also scans the probes: inputs of the model's launch whose outputs are the targets. It scans them
 * all alone: a probe of 100,000 elements may take it 0.4 ms (estimated, H200).
 *
 * A target may also be memory to be filled, which saves a launch of its own.
 *
 * Sums depend on the grid alone; everything else does not even depend on that.
 */
#define AGK_TARGETS 16   /* tensors of one AGK_BATCH launch */
#define AGK_FEW 4        /* tensors of one AGK_BATCH_FEW launch, whose argument is shorter */
#define AGK_BATCH_DIMS 6 /* collapsed dimensions; a tensor with more goes to AGK_STRIDED */
/* The most blocks of a launch without summaries: AGK_BLOCKS_PER_SM for each of 224 SMs. */
#define AGK_BATCH_BLOCKS 896
/* The most blocks of a launch with summaries, and of those on one SM. */
#define AGK_SUM_BLOCKS 672
#define AGK_SUM_BLOCKS_PER_SM 2
/* A batch's scratch, in device memory: 0 before its first use; each kernel leaves it ready for the
 * next one of the stream. A launch without summaries uses AGK_BAD_BYTES of it; the rest may then
 * hold anything. */
#define AGK_SCRATCH_BYTES 36864
#define AGK_BAD_BYTES 1536
#define AGK_PROBE_MOST (1 << 22) /* elements: a larger probe is not summed up */

/* Mapped. Written by the last block, before `done`. */
typedef struct agk_found {
  agk_result result;
  uint8_t first[3][16]; /* the bits of the element at first_nan, first_pos_inf, first_neg_inf; for a
                           probe, of its element that matches that of the first target that has the
                           kind among its probe_kinds */
  uint32_t firsts;      /* bit 0, 1, 2: first[0], [1], [2] are set */
  uint32_t has_summary; /* for a probe: 1 if result holds its summary; for a target 0 */
} agk_found;

enum agk_how {
  AGK_IN_ORDER, /* contiguous, row-major: sizes and strides are not read */
  AGK_DENSE,    /* no gap, no overlap, another order: read in memory order; indices stay logical */
  AGK_ANYHOW,   /* any strides, 0 too */
  AGK_EDGES,    /* not scanned: only its head and tail are copied. In order if ndim is 0, else as
                   AGK_ANYHOW */
  AGK_FILL      /* not scanned but written: numel times the four bytes of `word`, at a multiple of
                   4. No other target overlaps it. Not in a launch of AGK_BATCH_SUM */
};

/* Each has at least one block, those of the first target first. A block is worth at least
 * AGK_THREADS * AGK_VECTORS * 16 bytes; if a summary is made and there are few bytes, AGK_THREADS *
 * 16. */
typedef struct agk_target {
  const void *data; /* first logical element; a multiple of the part's size, or how is AGK_ANYHOW
                       (AGK_EDGES) and bytewise is 1 */
  int64_t numel;    /* > 0 */
  agk_format format;
  uint8_t summary;    /* 0: nan, the infs, bad and the firsts only. Not 0 only for AGK_BATCH_SUM */
  uint8_t how;        /* enum agk_how */
  uint32_t end_block; /* one past its last block; its first is the end_block of the target before it
                         (0) */
  int16_t head, tail; /* elements to copy to `edges`: the first `head`, then the last `tail`; each
                         at most numel */
  uint8_t bytewise;
  int8_t ndim; /* that of the sizes and strides below: collapsed, outermost first; 0: one element */
  uint8_t probe_kinds; /* bit 0, 1, 2: a NaN, +Inf, -Inf in it has the probes scanned */
  union {
    int32_t logical_ndim; /* with the tensor's own sizes, mapped: only read if something is bad */
    uint32_t word;        /* for AGK_FILL, which has neither these, nor `found`, nor edges */
  };
  const int64_t *logical_sizes;
  agk_found *found; /* mapped */
  void *edges;      /* mapped, or NULL. Written before `done` too */
  int64_t sizes[AGK_BATCH_DIMS], strides[AGK_BATCH_DIMS];
} agk_target;

/* An input of the model's launch whose outputs are scanned; mapped. Scanned by the last block, only
 * if a target has a bad value of its probe_kinds, and with a summary if 0 < numel <=
 * AGK_PROBE_MOST. Its matching element is the one at the same index as the target's bad one, as
 * broadcasting has it: dimensions aligned at the right, a size of 1 goes with any. There is none if
 * the shapes do not broadcast. ag_reach_match() in runtime/nan/reach.c follows the same rule. */
typedef struct agk_probe {
  const void *data;
  int64_t numel;
  agk_format format;
  uint8_t bytewise;
  int8_t pad;
  int32_t ndim;                   /* logical, at most AGK_MAX_DIMS */
  const int64_t *sizes, *strides; /* logical, mapped */
  agk_found *found;               /* mapped */
} agk_probe;

/* State of a graph that is replayed; device memory, initially 0. epoch: replays that have begun.
 * muted: this replay writes nothing to the host but `missed`. */
typedef struct agk_replay {
  uint32_t epoch, muted;
} agk_replay;

/* Mapped. */
typedef struct agk_replayed {
  uint32_t held;   /* set by the device when a replay that is not muted found something bad; cleared
                      by the host once it has read */
  uint32_t missed; /* replays that were muted and found something bad (counted by their kernels: at
                      least 1 a replay) */
  uint32_t finished; /* epoch of the last replay whose AGK_REPLAY_END ran */
  uint32_t reported; /* epoch of the replay that `held` refers to */
} agk_replayed;

typedef struct agk_batch_head {
  int32_t count; /* targets */
  int32_t nprobes;
  const agk_probe *probes; /* mapped */
  void *scratch;  /* AGK_SCRATCH_BYTES, or AGK_BAD_BYTES of AGK_BATCH, at a multiple of 16; one
                     stream at a time */
  uint32_t *done; /* mapped, or NULL. Written last, after everything else is visible to the host:
                     token << 1 | (something is bad) */
  uint32_t token; /* in a replay, its epoch replaces the token */
  agk_replay *replay; /* or NULL. If it is muted, nothing is written to the host but `missed` */
  agk_replayed *replayed;
} agk_batch_head;

typedef struct agk_batch {
  agk_batch_head head;
  agk_target targets[AGK_TARGETS];
} agk_batch;

typedef struct agk_batch_few {
  agk_batch_head head;
  agk_target targets[AGK_FEW];
} agk_batch_few;

typedef struct agk_replay_mark {
  agk_replay *replay;
  agk_replayed *replayed;
  int32_t keep; /* at the end: hold this replay, unless it is muted, even if nothing was bad */
} agk_replay_mark;

/* Waits until *go, in host memory, has come to `until`, but for at most most_ns nanoseconds; then
 * *late = until. */
typedef struct agk_hold {
  uint32_t *go, *late;
  uint32_t until;
  uint64_t most_ns;
} agk_hold;

/* Scans all targets in one launch of the last target's end_block blocks. It and the next kernel may
 * be launched early, with programmatic stream serialization: they wait themselves for earlier work
 * on the stream. */
#define AGK_BATCH "aotigen_scan_batch"         /* takes agk_batch */
#define AGK_BATCH_FEW "aotigen_scan_batch_few" /* takes agk_batch_few */
/* The same with summaries: slower, for launches of at most AGK_SUM_BLOCKS blocks in which a target
 * wants a summary. */
#define AGK_BATCH_SUM "aotigen_scan_batch_sum"         /* takes agk_batch */
#define AGK_BATCH_SUM_FEW "aotigen_scan_batch_sum_few" /* takes agk_batch_few */
/* What holds a stream until the host has made a launch: one thread, takes agk_hold. */
#define AGK_HOLD "aotigen_hold"

/* What a graph begins and ends with: one thread (more do nothing), takes agk_replay_mark. begin:
 * epoch + 1, muted = held. end: finished = epoch, and with `keep` the replay is held before that.
 */
#define AGK_REPLAY_BEGIN "aotigen_replay_begin"
#define AGK_REPLAY_END "aotigen_replay_end"

/* ---- one tensor ----------------------------------------------------------------------------- */

/* Only nan, pos_inf, neg_inf, bad and the firsts, for every floating and complex format. Takes
 * agk_dense. */
#define AGK_BAD_DENSE "aotigen_bad_dense"
/* Everything, any format, any strides. Takes agk_strided. Slower than the others: an index is taken
 * apart per element. */
#define AGK_STRIDED "aotigen_stats_strided"
/* Copies elements out of a strided tensor. Takes agk_gather. */
#define AGK_GATHER "aotigen_gather"
/* Everything, one kernel a format: aotigen_summary_ and the name below. Takes agk_dense. A format
 * that is not in the list goes to AGK_STRIDED. Columns: name, class, bytes, exponent, mantissa,
 * special. */
#define AGK_SUMMARY_FORMATS(X)                                                                     \
  X(float8_e5m2, AGK_FLOATING, 1, 5, 2, AGK_IEEE)                                                  \
  X(float8_e4m3fn, AGK_FLOATING, 1, 4, 3, AGK_FN)                                                  \
  X(float8_e5m2fnuz, AGK_FLOATING, 1, 5, 2, AGK_FNUZ)                                              \
  X(float8_e4m3fnuz, AGK_FLOATING, 1, 4, 3, AGK_FNUZ)                                              \
  X(float8_e8m0fnu, AGK_FLOATING, 1, 8, 0, AGK_E8M0)                                               \
  X(float16, AGK_FLOATING, 2, 5, 10, AGK_IEEE)                                                     \
  X(bfloat16, AGK_FLOATING, 2, 8, 7, AGK_IEEE)                                                     \
  X(float32, AGK_FLOATING, 4, 8, 23, AGK_IEEE)                                                     \
  X(float64, AGK_FLOATING, 8, 11, 52, AGK_IEEE)                                                    \
  X(bool, AGK_BOOL, 1, 0, 0, AGK_IEEE)                                                             \
  X(uint8, AGK_UNSIGNED, 1, 0, 0, AGK_IEEE)                                                        \
  X(int8, AGK_SIGNED, 1, 0, 0, AGK_IEEE)                                                           \
  X(uint16, AGK_UNSIGNED, 2, 0, 0, AGK_IEEE)                                                       \
  X(int16, AGK_SIGNED, 2, 0, 0, AGK_IEEE)                                                          \
  X(uint32, AGK_UNSIGNED, 4, 0, 0, AGK_IEEE)                                                       \
  X(int32, AGK_SIGNED, 4, 0, 0, AGK_IEEE)                                                          \
  X(uint64, AGK_UNSIGNED, 8, 0, 0, AGK_IEEE)                                                       \
  X(int64, AGK_SIGNED, 8, 0, 0, AGK_IEEE)
#define AGK_SUMMARY_PREFIX "aotigen_summary_"

#endif
