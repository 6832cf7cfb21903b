/* backend.h - what a device must be able to do: one table of functions per device type.
 *
 * A backend reads tensors and waits for streams. It writes to a tensor only by write(), never
 * allocates device memory per tensor, and never throws; it knows no sites, faults or messages. The
 * CPU's backend is the reference: on the same elements every other one gives the same counts, the
 * same first indices and the same bits of min and max. */
#ifndef AOTIGEN_BACKEND_H
#define AOTIGEN_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AG_MAX_DIMS 64

enum ag_class { AG_OTHER, AG_BOOL, AG_SIGNED, AG_UNSIGNED, AG_FLOATING, AG_COMPLEX };

/* One element type. `number` is c10's ScalarType in the loaded torch. */
typedef struct ag_dtype {
  const char *name; /* torch's: "float8_e4m3fn" */
  int32_t number;
  uint8_t item_size; /* bytes; both parts of a complex type */
  uint8_t cls;       /* enum ag_class */
  uint8_t exponent;  /* exponent bits of a floating type, or of one part of a complex one */
  uint8_t mantissa;  /* bits */
  uint8_t special;   /* enum ag_special */
} ag_dtype;

/* The bit patterns of a floating type that are NaN and Inf. */
enum ag_special {
  AG_IEEE,    /* all ones in the exponent: Inf with an empty mantissa, else NaN */
  AG_FN,      /* float8_e4m3fn: NaN is all ones in exponent and mantissa, no Inf */
  AG_FNUZ,    /* float8_e4m3fnuz, float8_e5m2fnuz: NaN is 0x80 alone, no Inf, no negative zero */
  AG_E8M0,    /* float8_e8m0fnu: NaN is 0xff, no sign, no zero, no Inf */
  AG_DIFFERS, /* not for numbers: differs from a pattern, see kernels/decode.h */
  AG_HOLDS    /* not for numbers: holds a pattern */
};

/* A strided tensor in a device's memory. Sizes and strides in elements. */
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

/* What one pass over the logical elements of a tensor finds. A complex element is NaN (Inf) if one
 * of its parts is, and has no min, max or sum. Indices are flat and logical, in row-major order of
 * the sizes. */
typedef struct ag_stats {
  int64_t nan, pos_inf, neg_inf, zero;
  int64_t subnormal; /* finite, not zero, exponent field 0; not for complex, integers and bools;
                        E8M0 has none */
  int64_t first_nan, first_pos_inf, first_neg_inf; /* -1 if there is none */
  double min, max,
      sum; /* over the finite elements; 0 if there is none. Not for complex. A zero is +0 */
  double sum_squares;       /* over the finite elements, too */
  int64_t int_min, int_max; /* for integers and bools; uint64 as its bits */
  int64_t finite;           /* the number of finite elements */
} ag_stats;

/* The statistics of no elements: the initial value for counting. */
static const ag_stats ag_nothing_bad = {.first_nan = -1, .first_pos_inf = -1, .first_neg_inf = -1};

enum ag_want {
  AG_WANT_BAD = 1,    /* nan, pos_inf, neg_inf and the first of each; the rest may be anything */
  AG_WANT_SUMMARY = 2 /* everything */
};

/* ---- scanning without waiting ---------------------------------------------------------------
 *
 * A *batch* is a set of tensors, the scan targets, that a device scans after all earlier work of
 * its stream. The results arrive in host memory, where any thread reads them later, even if the
 * device is lost by then. An *input probe* is a target that is scanned only if another target of
 * the batch turns out to be bad: an input of the launch whose outputs the batch scans.
 *
 * A *slot* holds what one run needs of a device: a little of its memory, and a word in host memory
 * to which the stream writes marks. It serves one run, on one stream, at a time. */

/* Host memory that the device writes. Handed out from its start; belongs to the caller of pin(). */
typedef struct ag_pinned {
  char *host;
  uint64_t device; /* its address on the device */
  size_t size, used;
} ag_pinned;

/* The result of one target. The bytes lie in the batch's pinned memory. */
typedef struct ag_scan_result {
  ag_stats stats;
  const unsigned char
      *first[3]; /* the element at first_nan, first_pos_inf, first_neg_inf, or NULL; for a probe,
                    its element at the place of the bad target's, as broadcasting has it */
  const unsigned char *edges; /* the first `head` elements, then the last `tail`; or NULL */
} ag_scan_result;

typedef struct ag_scan_target {
  const ag_tensor *tensor; /* must live until the result was read */
  uint32_t tag;            /* the caller's */
  uint8_t want;            /* enum ag_want */
  /* With AG_WANT_BAD: the kinds, NaN (1), +Inf (2) and -Inf (4), for which the batch's probes are
   * scanned; 0: for any; 8: for none. Without AG_WANT_BAD: for none. */
  uint8_t probe_kinds;
  bool probe;
  bool unavailable;   /* cannot be scanned any more, or at all: no result will arrive */
  int16_t head, tail; /* the number of elements to copy from the start and from the end */
  const char *why;    /* why it is unavailable, in words that live as long as the target; or NULL */
  const ag_scan_result *known; /* the caller has the result itself: the device does not scan it */
  void *found, *alone, *edges; /* the backend's */
} ag_scan_target;

/* Fills memory of the device with `words` times the four bytes of `word`, from a multiple of 4
 * on. */
typedef struct ag_fill {
  void *to;
  uint32_t word;
  size_t words;
} ag_fill;

typedef struct ag_scan_batch {
  ag_scan_target *targets;
  uint32_t count;
  const ag_fill *fills; /* for start() only: memory that no target reads */
  uint32_t nfills;      /* set to 0 if the launch that scans also fills them */
  bool cleared;         /* the backend's: what the device does not write is 0 */
  uint32_t asked; /* the backend's: the number of targets that the device scans, without probes */
  uint32_t token; /* the backend's; for a replay its number, which the caller sets */
  const volatile uint32_t *done; /* the backend's; NULL: the device has nothing to do */
} ag_scan_batch;

/* Bytes that fetch() leaves free before the elements: the word that says that they have arrived,
 * and room to align them. */
enum { AG_FETCHED = 64 };

/* What a backend can do without waiting, grouped by object. Functions that return a message return
 * NULL or words as those of ag_backend do. Any thread may call any of them, except that a slot
 * belongs to the thread of its run; marked(), is_done() and the queries about replays take any
 * thread. */

typedef struct ag_slot_ops {
  /* *slot: a slot, NULL if all are in use. ready: only a slot that was made before, since making
   * one allocates and waits for a stream of our own. sums: its batches may want summaries. */
  const char *(*take)(int32_t device_index, bool ready, bool sums, void **slot);
  /* Returns the slot to the free ones. Not after the device was lost, and not while a graph uses
   * it. */
  void (*give)(void *slot);
  /* Has the stream write `number`, not 0, into the slot's mark after all its earlier work. */
  const char *(*mark)(void *slot, void *stream, uint32_t number);
  /* The number that the stream wrote last. */
  uint32_t (*marked)(const void *slot);
} ag_slot_ops;

typedef struct ag_batch_ops {
  /* The pinned memory that the batch needs, in bytes. */
  size_t (*bytes)(const ag_scan_batch *w);
  /* Gives the stream the batch's scans. Sets the backend's fields of the batch and its targets. */
  const char *(*start)(ag_scan_batch *w, void *slot, void *stream, ag_pinned *memory);
  /* True if all results are in `memory`. */
  bool (*is_done)(const ag_scan_batch *w);
  /* The result of targets[target], after is_done(). False if there is none: then only out->first is
   * set, and only for a probe that was too large for a summary. */
  bool (*result)(const ag_scan_batch *w, uint32_t target, ag_scan_result *out);
  /* For a graph: the results of this replay were read. Call it before ag_replay_ops.release(). */
  void (*release)(const ag_scan_batch *w);
} ag_batch_ops;

/* Batches and marks given to a stream between begin() and end(), while it is captured into a graph,
 * produce new results on each replay. */
typedef struct ag_replay_ops {
  const char *(*begin)(void *slot, void *stream);
  /* keep: next() returns every replay; otherwise only those in which something is bad. */
  const char *(*end)(void *slot, void *stream, bool keep);
  /* The number, from 1, of a replay that is over and whose results are stored until release(); 0 if
   * there is none. The caller makes it the token of the replay's batches. *missed: the number of
   * replays whose results were lost, since those of an earlier one were still stored. */
  uint32_t (*next)(const void *slot, uint32_t *missed);
  void (*release)(void *slot);
  /* The number of the replay that has begun and is not over; 0 if there is none, or if its results
   * are not stored. */
  uint32_t (*running)(const void *slot);
} ag_replay_ops;

typedef struct ag_device_ops {
  /* Allocates pinned memory, all 0, which is never freed. Not in a capture. Does not wait, but may
   * take a millisecond. */
  const char *(*pin)(int32_t device_index, size_t bytes, ag_pinned *memory);
  /* Has the stream copy elements first .. first + count - 1 to `to`, AG_FETCHED bytes behind its
   * start, and then write `number`, not 0, to its first four bytes. in_memory: the tensor is dense,
   * and elements are counted in memory order; otherwise in logical order. */
  const char *(*fetch)(int32_t device_index, void *stream, const ag_tensor *t, bool in_memory,
                       int64_t first, int64_t count, uint32_t number, const ag_pinned *to);
  /* NULL, or the device's sticky error, which stays valid. sticky_error() reads host memory only;
   * query() asks the driver on a stream of our own; query_stream() also asks the given stream,
   * unless it is being captured. None waits. */
  const char *(*sticky_error)(int32_t device_index);
  const char *(*query)(int32_t device_index);
  /* "NVIDIA H200", from host memory; NULL: not known, or nothing was done on it yet. */
  const char *(*name)(int32_t device_index);
  const char *(*query_stream)(int32_t device_index, void *stream);
  /* The only device that was used so far; 0 if none was, -1 if several were. */
  int32_t (*only_index)(void);
  /* A stream of our own, on which no other work runs; NULL if there is none. */
  void *(*side_stream)(int32_t device_index);
} ag_device_ops;

typedef struct ag_async {
  const ag_slot_ops *slot;
  const ag_batch_ops *batch;
  const ag_replay_ops *replay;
  const ag_device_ops *device;
} ag_async;

enum ag_timer_state { AG_TIMER_LOST, AG_TIMER_RUNS, AG_TIMER_DONE };

/* Times work of a stream, without waiting. A pair is made once and used again and again, by one
 * thread at a time; its read() may be another's. */
typedef struct ag_timer_ops {
  /* Makes a pair. Allocates, once for many: not in a capture. */
  const char *(*make)(int32_t device_index, void **pair);
  /* What the stream, on that device, is given between these two is timed. The device waits, for a
   * bounded time, until the second was called: the time then is the work's and not the host's.
   * waits: the host waits for the work in between, and the device must not wait for it. */
  const char *(*begin)(void *pair, void *stream, bool waits);
  const char *(*end)(void *pair, void *stream);
  /* In place of end(). */
  void (*drop)(void *pair);
  /* AG_TIMER_DONE: *ns, without what an empty pair takes. *late: the device did not wait until the
   * end was there, and has waited for the host in between. */
  enum ag_timer_state (*read)(void *pair, int64_t *ns, bool *late);
  /* What an empty pair takes on the device, in nanoseconds; 0: it is not known. */
  int64_t (*empty_ns)(int32_t device_index);
} ag_timer_ops;

/* A device type. A function that returns text returns NULL, or a description of the failure, which
 * is valid until the thread's next call. stream: the device's own handle of the stream that the
 * launch ran on; NULL is the default stream. Any thread. */
typedef struct ag_backend {
  const char *name;
  int32_t device_type;
  /* Waits for the earlier work of `stream`, then scans every logical element. */
  const char *(*stats)(const ag_tensor *t, unsigned want, void *stream, ag_stats *out);
  /* Copies `count` logical elements, from flat index `first` on, contiguously to host memory. Waits
   * as stats() does. */
  const char *(*read)(const ag_tensor *t, int64_t first, int64_t count, void *stream, void *to);
  /* Has the stream fill memory with `words` times the four bytes of `word`. Does not wait. May be
   * called in a capture. */
  const char *(*fill)(int32_t device_index, void *stream, void *to, uint32_t word, size_t words);
  /* Copies bytes of the host to memory of the device, behind the earlier work of `stream`, and
   * waits. NULL: it cannot. */
  const char *(*write)(int32_t device_index, void *stream, void *to, const void *from,
                       size_t bytes);
  /* Memory on pages of its own, for work on `stream`: cuda/mapped.h. NULL: state/guard_pages.h. */
  const char *(*map)(int32_t device_index, void *stream, size_t bytes, void **memory,
                     size_t *inner);
  void (*unmap)(void *memory);
  /* Memory that a tool knows by its name: cuda/named_memory.h. NULL: tools do not know names. */
  const char *(*take_named)(int32_t device_index, void *stream, size_t bytes, const char *name,
                            void **memory);
  void (*give_named)(void *memory);
  /* Waits for the stream and returns the device's error, if there is one. */
  const char *(*sync)(int32_t device_index, void *stream);
  /* True if the stream is being captured into a graph. Then none of the functions above may be
   * called. */
  bool (*capturing)(void *stream);
  /* The largest grid: x, y, z. */
  const char *(*grid_limits)(int32_t device_index, int64_t limits[3]);
  /* The stream on which torch launches now, on this thread. */
  void *(*current_stream)(int32_t device_index);
  /* NULL, or why the file at `path` has no kernel that this device can load. */
  const char *(*check_kernel_file)(const char *path);
  const ag_async *async;     /* NULL if every scan waits */
  const ag_timer_ops *timer; /* NULL if it has none */
} ag_backend;

extern const ag_backend ag_backend_cpu;
/* NULL if no CUDA driver is loaded in this process. It is looked up with dlsym: a model for the CPU
 * needs none. */
const ag_backend *ag_backend_cuda(void);

#endif
