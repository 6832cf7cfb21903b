/* backend.h - what a device must be able to do: one vtable a device type.
 *
 * A backend reads tensors and waits for streams; it never writes to a tensor, never allocates
 * device memory per tensor, and never throws. It knows nothing of sites, faults or messages. The
 * CPU's is the reference: on the same elements every other backend gives the same counts, the same
 * first index and the same bits of min and max.
 */
#ifndef AOTIGEN_BACKEND_H
#define AOTIGEN_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AG_MAX_DIMS 64

enum ag_class { AG_OTHER, AG_BOOL, AG_SIGNED, AG_UNSIGNED, AG_FLOATING, AG_COMPLEX };

/* One element type. `number` is c10's ScalarType as the torch that is loaded numbers it. */
typedef struct ag_dtype {
  const char *name; /* torch's: "float8_e4m3fn" */
  int32_t number;
  uint8_t item_size; /* bytes; of a complex type, of both parts */
  uint8_t cls;       /* enum ag_class */
  uint8_t exponent;  /* bits, of a floating type or of one part of a complex one */
  uint8_t mantissa;  /* bits */
  uint8_t special;   /* enum ag_special */
} ag_dtype;

/* How a floating type spells NaN and Inf. */
enum ag_special {
  AG_IEEE, /* all ones in the exponent: Inf with an empty mantissa, else NaN */
  AG_FN,   /* float8_e4m3fn: NaN is all ones in exponent and mantissa, no Inf */
  AG_FNUZ, /* float8_e4m3fnuz, float8_e5m2fnuz: NaN is 0x80 alone, no Inf, no negative zero */
  AG_E8M0  /* float8_e8m0fnu: NaN is 0xff, no sign, no zero, no Inf */
};

/* A strided tensor in some device's memory. Sizes and strides in elements. */
typedef struct ag_tensor {
  const void *data; /* first logical element */
  const ag_dtype *dtype;
  int64_t numel;
  int32_t ndim;
  int32_t device_type; /* c10::DeviceType */
  int32_t device_index;
  int64_t sizes[AG_MAX_DIMS];
  int64_t strides[AG_MAX_DIMS];
} ag_tensor;

/* What one pass over the logical elements of a tensor finds. A complex element is NaN (Inf) where
 * one of its parts is, and has no min, max or sum. Indices are flat and logical, in row-major order
 * of the sizes. */
typedef struct ag_stats {
  int64_t nan, pos_inf, neg_inf, zero;
  int64_t subnormal; /* finite, not zero, exponent field 0. Not of complex, integers, bools; E8M0
                        has none */
  int64_t first_nan, first_pos_inf, first_neg_inf; /* -1 where there is none */
  double min, max,
      sum; /* of the finite elements; 0 where there is none. Not for complex. A zero is +0 */
  double sum_squares;       /* likewise */
  int64_t int_min, int_max; /* of integers and bools; uint64 as its bits */
  int64_t finite;           /* how many of the elements are finite */
} ag_stats;

/* No bad element, and no other: what counting begins with. */
static const ag_stats ag_nothing_bad = {.first_nan = -1, .first_pos_inf = -1, .first_neg_inf = -1};

enum ag_want {
  AG_WANT_BAD = 1,    /* nan, pos_inf, neg_inf and the first of each: nothing else need be right */
  AG_WANT_SUMMARY = 2 /* everything */
};

/* ---- looking without waiting
 * --------------------------------------------------------------------------------------
 *
 * A *batch* is a set of tensors that a device is asked to look at behind what a stream was given so
 * far; the answer comes into memory of the host and is read there later, by any thread, also when
 * the device's context is dead by then. A *probe* is a tensor that is looked at only where another
 * of the same batch is found to be bad: what the launch read.
 *
 * A *slot* is what one run needs of a device: a little of its memory, and a word of the host's that
 * the stream writes marks into. One run, on one stream at a time.
 */

/* Memory of the host that the device writes. Given out from its start; belongs to whoever asked for
 * it. */
typedef struct ag_pinned {
  char *host;
  uint64_t device;
  size_t size, used;
} ag_pinned;

/* What came of one target. */
typedef struct ag_scan_result {
  ag_stats stats;
  const unsigned char *first[3]; /* the bytes of the first NaN, +Inf, -Inf, or NULL; of a probe
                                    those that belong to them */
  const unsigned char *edges;    /* head, then tail; or NULL */
} ag_scan_result;

typedef struct ag_scan_target {
  const ag_tensor *tensor; /* lives until the answer was read */
  uint32_t tag;            /* the caller's */
  uint8_t want;            /* enum ag_want */
  bool probe;
  bool nowhere;       /* it cannot be looked at, by now or at all: there will be no answer */
  int16_t head, tail; /* elements to copy: the first, and the last ones */
  const char *why; /* of one that is nowhere, in words that live as long as the target; or NULL */
  const ag_scan_result *known; /* the caller's own answer: then the device is not asked */
  void *found, *alone, *edges; /* the backend's */
} ag_scan_target;

typedef struct ag_scan_batch {
  ag_scan_target *targets;
  uint32_t count, asked;         /* asked: of how many the device was */
  uint32_t token;                /* the backend's; of a replay its number, which the caller sets */
  const volatile uint32_t *done; /* the backend's; NULL: the device was asked nothing */
} ag_scan_batch;

/* What fetch() leaves before the elements that it copies: the word that says that they are there,
 * and room for them to be aligned. */
enum { AG_FETCHED = 64 };

/* Messages as of ag_backend; any thread, but a slot is its run's thread's, save for what only asks:
 * marked(), batch_done(), seen(), and what is said of replays. */
typedef struct ag_async {
  /* *slot is NULL where none is free. ready: only one that was made before, for making one
   * allocates and waits for a stream of our own. sums: summaries will be wanted of it. */
  const char *(*slot_take)(int32_t device_index, bool ready, bool sums, void **slot);
  /* Back to those that may be taken; not after the device's death, nor while a graph has it. */
  void (*slot_give)(void *slot);
  /* Memory that is 0 and the process's for good: nothing frees it. Not in a capture. Waits for
   * nothing, but may take a millisecond. */
  const char *(*pin)(int32_t device_index, size_t bytes, ag_pinned *memory);
  /* How much of it a batch needs. */
  size_t (*batch_bytes)(const ag_scan_batch *w);
  const char *(*batch_start)(ag_scan_batch *w, void *slot, void *stream, ag_pinned *memory);
  /* Is the answer there. */
  bool (*batch_done)(const ag_scan_batch *w);
  /* After batch_done() said so. False where there is no answer of this one: then of *out only
   * `first` holds, of a probe that was too large to be summed up. */
  bool (*batch_result)(const ag_scan_batch *w, uint32_t target, ag_scan_result *out);
  /* Of a graph: the answers of this replay were read. Before replay_taken(). */
  void (*batch_taken)(const ag_scan_batch *w);
  /* Has the stream write `number`, not 0, when it gets there; the last one that it wrote. */
  const char *(*mark)(void *slot, void *stream, uint32_t number);
  uint32_t (*marked)(const void *slot);
  /* Has the stream copy elements first .. first + count - 1 to `to`, AG_FETCHED bytes behind its
   * start, and then write `number`, not 0, to its first four bytes. in_memory: the tensor is dense,
   * and they are counted as they lie there; else in logical order. */
  const char *(*fetch)(int32_t device_index, void *stream, const ag_tensor *t, bool in_memory,
                       int64_t first, int64_t count, uint32_t number, const ag_pinned *to);
  /* A stream that is being captured into a graph is given the first and the last of what each
   * replay does on this slot; batches and marks between them are answered on each replay anew.
   * keep: answers of every replay are kept for replay_next(), not only those in which something is
   * bad. */
  const char *(*replay_begin)(void *slot, void *stream);
  const char *(*replay_end)(void *slot, void *stream, bool keep);
  /* A replay that is over and whose answers are kept: its number, from 1, which becomes the token
   * of its batches; 0 where there is none. *missed: of how many replays nothing was kept since,
   * because these were. They are kept until replay_taken(). */
  uint32_t (*replay_next)(const void *slot, uint32_t *missed);
  void (*replay_taken)(void *slot);
  /* The number of the replay that has begun and is not over, 0 where there is none or its answers
   * are not kept. */
  uint32_t (*replaying)(const void *slot);
  /* NULL, or how the device's context died; what is returned stays valid. sticky_error() reads host
   * memory alone; alive() asks the device, and nothing of anybody's streams; ask() asks a stream
   * too, unless it is being captured. None waits. */
  const char *(*sticky_error)(int32_t device_index);
  const char *(*alive)(int32_t device_index);
  const char *(*ask)(int32_t device_index, void *stream);
  /* The one device on which anything was looked at so far, the first where there is none; -1 where
   * there are more. */
  int32_t (*only_device)(void);
  /* A stream of our own, on which nothing waits for another; NULL where it cannot be had. */
  void *(*side_stream)(int32_t device_index);
} ag_async;

/* Each function returns NULL, or in words what went wrong, valid until the thread's next call.
 * `stream` is the device's own handle of the stream that the launch ran on (NULL: the default
 * stream). */
typedef struct ag_backend {
  const char *name;
  int32_t device_type;
  /* Waits for what `stream` was given so far, then looks at every logical element. */
  const char *(*stats)(const ag_tensor *t, unsigned want, void *stream, ag_stats *out);
  /* Copies `count` logical elements, from flat index `first` on, contiguously to host memory. Waits
   * as stats() does. */
  const char *(*read)(const ag_tensor *t, int64_t first, int64_t count, void *stream, void *to);
  /* Waits and takes the device's error, if there is one. */
  const char *(*sync)(int32_t device_index, void *stream);
  /* 1 where the stream is being captured into a graph: then nothing above may be called. */
  bool (*capturing)(void *stream);
  /* The largest grid: x, y, z. */
  const char *(*grid_limits)(int32_t device_index, int64_t limits[3]);
  /* The stream that torch launches on now, on this thread. */
  void *(*current_stream)(int32_t device_index);
  /* NULL, or why there is no file at `path` that this device can load a kernel from. */
  const char *(*check_kernel_file)(const char *path);
  const ag_async *async; /* NULL where every look waits */
} ag_backend;

extern const ag_backend ag_backend_cpu;
/* NULL where no CUDA driver is loaded in this process; resolved by dlsym, so that a CPU model needs
 * none. */
const ag_backend *ag_backend_cuda(void);

#endif
