/* launch_record.h - a launch with its arguments and their scans. Inside the library only.
 *
 * Each launch has one. A launch that is evaluated at once uses the record of its run state, which
 * the next launch overwrites. A launch of an async run has a record of its own: it lives in a page
 * until it is evaluated, and a page is reused once all of its records are. Only the run's thread
 * allocates from a page; only the evaluator changes `evaluated`. */
#ifndef AOTIGEN_LAUNCH_RECORD_H
#define AOTIGEN_LAUNCH_RECORD_H

#include "state/stream_order.h"
#include <stdatomic.h>

#include "state/launch.h"

enum { AG_PAGES = 16, AG_PAGE_RECORDS = 64, AG_PAGE_BYTES = 128 << 10 };

/* AG_THROWN: an exception was thrown before or during the launch. */
enum ag_stage { AG_LAUNCHING, AG_LAUNCHED, AG_THROWN };

/* A copy of an argument's elements, in row-major order. */
typedef struct ag_arg_copy {
  uint16_t arg;
  const volatile uint32_t *arrived; /* not 0 once they are there; NULL: they are */
  const unsigned char *bytes;
  void *own; /* to be freed, or NULL */
} ag_arg_copy;

static inline bool ag_arg_copy_is_there(const ag_arg_copy *c) {
  return c->bytes && (!c->arrived || __atomic_load_n(c->arrived, __ATOMIC_ACQUIRE));
}

typedef struct ag_index_copies {
  ag_arg_copy *at;
  unsigned n;
} ag_index_copies;

/* The memory of an argument that the launch may overwrite, as it was before: launch/kept_memory.h.
 */
typedef struct ag_kept {
  ag_arg_copy copy;     /* of a record that is evaluated at once, `own` is used again */
  size_t room;          /* bytes of `own` */
  uintptr_t begin, end; /* the addresses that it is a copy of */
} ag_kept;

/* What an argument held before the launch and after it: launch/op_contents.c. */
typedef struct ag_contents {
  ag_arg_copy before, after; /* an `own` is freed when they are compared */
  const void *data;          /* where it was before the launch, and what it was */
  const ag_dtype *dtype;
  int64_t numel;
  int32_t device_type, device_index;
  bool moved;      /* the call gave it other memory */
  int64_t changed; /* elements that differ; -1: not counted yet */
  int64_t first;   /* the first of them, in logical order */
  unsigned char was[16], is[16];
} ag_contents;

/* What a zone tells of its buffer, which may be gone when the zone is evaluated. */
typedef struct ag_zone_buffer {
  const aotigen_buffer *row;
  uint64_t allocated; /* after this launch */
  const ag_dtype *dtype;
  int64_t extent; /* elements that its memory holds */
  int32_t device_type, device_index, ndim;
  int64_t sizes[AG_MAX_DIMS];
} ag_zone_buffer;

/* The launches between which what is found in a zone was written. */
enum { AG_ZONE_LAUNCHES = 6 };
typedef struct ag_zone_span {
  uint64_t since; /* a red zone was compared after this launch, and known before the next ones */
  uint64_t until; /* the zone is compared as this launch left it */
  uint32_t site;  /* for a red zone: the site of launch `until` */
  unsigned n;
  struct { /* checked launches after `since`, up to `until`; the last ones of many */
    uint64_t number;
    uint32_t site;
  } launches[AG_ZONE_LAUNCHES];
} ag_zone_span;

/* Memory that is compared with the pattern of pattern.h. Before the launch: what it reads of a
 * buffer whose elements held the pattern when it was allocated. After it: a red zone, or such an
 * output of the model. */
typedef struct ag_zone {
  ag_zone_buffer buffer;
  ag_zone_span span;
  ag_writers writers; /* the buffer's */
  int32_t arg;        /* before the launch: the argument; -1: an output of the model */
  bool residue;  /* the zone is all of a buffer that the launch wrote; the evaluation keeps what was
                    left unwritten for the launch that reads it */
  bool known;    /* the zone is read, and not scanned: the evaluation has it as of span.until */
  bool red;      /* a red zone: */
  bool behind;   /* behind the elements; else before them */
  bool released; /* the buffer was released since the launch before */
  ag_tensor t;   /* the memory: pattern.h has its type */
} ag_zone;

/* What tells the end of a launch: its own mark or scan, nothing yet, or that of a later launch on
 * its stream. */
enum ag_end { AG_END_OWN, AG_END_UNTOLD, AG_END_LATER };

/* Until `stage` is AG_LAUNCHED or AG_THROWN (release store) only the run's thread writes to the
 * record; afterwards only the holder of the async run's `eval_lock` does. Before that, other
 * threads may only read `stage`, and those `args` that were bound before the record was published.
 */
typedef struct ag_record {
  ag_launch launch;
  atomic_int stage;
  /* How it is known that the launch is over: launch/marks.h. */
  _Atomic uint32_t mark; /* the stream's marks are as great from then on; 0: no mark tells */
  const ag_scan_batch *_Atomic told_by; /* a later scan of its stream; or NULL */
  atomic_int end;                       /* enum ag_end */
  void *slot;                           /* of its stream: launch/async_run.h */
  ag_stream_place place;                /* of a model with several streams: checks/stream_races.c */
  bool scanned; /* its tensors are scanned; else it is only guarded and named */
  size_t nargs;
  ag_arg *args;
  ag_scan_batch batch[2]; /* by enum ag_when; with room for two targets of each argument */
  ag_index_copies copies; /* launch/index_copies.h */
  ag_contents *contents;  /* launch/op_contents.c */
  unsigned ncontents;
  ag_kept *kept; /* launch/kept_memory.h */
  unsigned nkept;
  ag_zone *zones[2]; /* launch/zones.c; by enum ag_when */
  unsigned nzones[2];
  struct ag_timing *timing; /* state/timing.h; or NULL */
  int64_t took_ns;          /* the launch, once it is known; 0: it is not timed */
  struct ag_page *page;     /* NULL of a record that is evaluated at once */
} ag_record;

/* Memory for records. Chunks and pinned pieces are reused by later runs. */
typedef struct ag_page {
  struct ag_chunk *chunks;
  ag_pinned *pinned;
  size_t npinned, pinned_room;
  size_t used;           /* bytes of the chunks */
  uint32_t records;      /* the number of records that have their memory here */
  atomic_uint evaluated; /* the number of those that are evaluated */
} ag_page;

/* The pages of one async run, which are used in turn. */
typedef struct ag_pages {
  ag_page list[AG_PAGES];
  unsigned current;
} ag_pages;

/* Makes a record with room for nargs arguments. NULL if memory ran out, or if the current page is
 * full and the next one in use. is_captured: no record is evaluated before the graph runs, so the
 * last page grows. */
ag_record *ag_record_create(ag_pages *p, bool is_captured, size_t nargs);
bool ag_pages_have_room(const ag_pages *p);
/* Prepares for a new run: none of the records is in use. */
void ag_pages_clear(ag_pages *p);

/* Binds args[0..n-1] to the marker's values. */
void ag_record_bind(ag_record *record, const aotigen_param *params, const aotigen_value *values,
                    size_t n);
void ag_arg_bind(ag_arg *a, const aotigen_param *param, const aotigen_value *value);
/* Clears what the NaN assert found about the argument. */
void ag_arg_reset(ag_arg *a);

/* Memory that lives as long as the record, and a copy of a text in it: a message of the backend is
 * only valid until the thread's next call. NULL if memory ran out. */
void *ag_record_alloc(ag_record *record, size_t bytes);
const char *ag_record_copy_text(ag_record *record, const char *text);

#endif
