/* run_state.h - the library's state of a run between two markers. Inside the library only.
 *
 * A run's state is taken from its model's pool when the run begins and given back when it is over,
 * with its buffers, so that nothing is allocated at a launch once a few runs were made. It belongs
 * to the thread of the run. The state of an async run that is over belongs to the evaluator, which
 * gives it back; that of a captured run stays with its graph. */
#ifndef AOTIGEN_RUN_STATE_H
#define AOTIGEN_RUN_STATE_H

#include "state/evaluation.h"
#include "state/iterations.h"
#include "state/model_state.h"

/* How the launches of a run are evaluated; chosen at its first launch or input. */
enum ag_run_mode {
  AG_MODE_OPEN,      /* not chosen yet */
  AG_MODE_AT_ONCE,   /* at each launch, on the run's thread */
  AG_MODE_UNSCANNED, /* never: its device makes no progress */
  AG_MODE_ASYNC      /* when the device's results arrive */
};

/* The weights that the run state has seen. The set is checked again if one of them moved or
 * aotigen_weights_changed() was called. */
typedef struct ag_weights_seen {
  const void **data; /* by weight */
  unsigned long long generation;
  bool checked;
  bool renewed;     /* the set changed since the evaluation was given it */
  bool handed_over; /* the evaluation has this run's inputs and weights */
} ag_weights_seen;

/* An argument of an operator's call whose memory an output of the call has. */
typedef struct ag_shared {
  uint32_t site, param;
  const char *output;
  ag_view view; /* the argument's */
} ag_shared;

/* Memory that a collective is using: launch/completion.c. */
typedef struct ag_pending {
  uintptr_t begin, end;
  int32_t device_type, device_index;
  ag_writing writing; /* the collective */
  bool only_read;     /* it reads the memory, and does not write it */
  bool dense;         /* each byte between the two ends is the collective's */
  bool ended;         /* scratch */
} ag_pending;

typedef struct ag_run_texts {
  ag_text message; /* handed to the caller */
  ag_text inputs_fault;
  ag_text report; /* scratch */
  ag_view view;   /* scratch */
} ag_run_texts;

enum { AG_RETAINED_MOST = 64 }; /* as many as `args` has bits */

/* Handles of the library's own to arguments of the launch in progress. */
typedef struct ag_retained {
  void *handles[AG_RETAINED_MOST];
  unsigned n;
  uint64_t args; /* bit i: argument i is among them */
} ag_retained;

/* All 0 where a run begins. */
typedef struct ag_run_progress {
  bool active;         /* between before() and after() of a launch that is wanted */
  bool ending;         /* its last launch is over: outputs are handed over */
  bool unchecked;      /* AOTIGEN_EVERY leaves the run out */
  bool error_reported; /* the device's error was reported in this run */
  bool lost;           /* the scan that was asked for last met a device that is lost */
  uint64_t selected;   /* launches of this run that the filters selected */
  struct {
    uint64_t launch; /* behind this one no capture began on its stream; 0: not known */
    const void *stream;
  } uncaptured;
  ag_iterations iterations;
} ag_run_progress;

/* The record of a launch that is evaluated at once: ag_run_state_use_own(). */
typedef struct ag_own_record {
  ag_record record;
  size_t args_room;
  size_t zones_room[2]; /* by enum ag_when */
} ag_own_record;

/* What NVTX was told: launch/nvtx_ranges.c, launch/nvtx_read_only.c. */
typedef struct ag_run_nvtx {
  unsigned ranges; /* that are open */
  struct {         /* buffers that the launch in flight only reads */
    unsigned n;
    void *at[32];
  } read_only;
} ag_run_nvtx;

/* State of the run's buffers, if memory is guarded or counted: launch/zones.c and memory/. */
typedef struct ag_run_memory {
  struct ag_usage *usage; /* with AOTIGEN_MEMORY: memory/usage.h */
  struct {
    struct ag_launched {
      uint64_t number;
      uint32_t site;
    } * list;
    size_t count, room;
  } launched;                 /* of this run */
  uint64_t unseen_write;      /* the last launch that may have written to buffers unseen; 0: none */
  struct ag_buffer *released; /* whose red zones are still to be scanned */
  struct {
    struct ag_buffer *first, *last;
    size_t bytes;
    ag_fill fills[8]; /* still to be done, before the next launch */
    uint32_t nfills;
  } retired; /* memory/retired.h */
  struct {
    struct ag_poison_block *blocks;
    size_t bytes;               /* of them */
    size_t taken, taken_before; /* bytes that buffers have: of this run, of the one before */
  } poison;                     /* memory/poison_block.h */
} ag_run_memory;

typedef struct aotigen_run_state {
  struct aotigen_run_state *next; /* in the pool */
  struct aotigen_run *previous;   /* the run that this thread was in when this one began */
  ag_model_state *model;
  struct ag_in_flight *in_flight; /* the run's place in the table of runs, or NULL */
  enum ag_run_mode mode;
  ag_run_progress progress;
  int32_t device_index; /* an async run's device; else the inputs', or -1 */
  ag_record *record;    /* that of the launch in progress */
  ag_own_record own;
  struct ag_async_run *async_run; /* once a run of this state was async */
  ag_byte_tables
      covered; /* inputs and weights as they are; in an async run, what its scans cover */
  ag_weights_seen weights;
  struct ag_race_run *race; /* checks/races.c; or NULL */
  ag_run_nvtx nvtx;
  ag_run_memory memory;
  struct {
    ag_shared *list;
    size_t count, room;
  } shared; /* of this run */
  struct {
    ag_pending *list;
    size_t count, room;
  } pending; /* of this run, in the order of the collectives */
  struct {
    int64_t *list;
    size_t count, room;
  } input_sizes;                   /* of this run: checks/input_sizes.h */
  struct ag_stream_order *streams; /* checks/stream_races.c; or NULL */
  ag_retained retained;
  struct {
    struct ag_timing *pair; /* of the launch in progress, on a device; or NULL */
    int64_t began_ns;       /* of the launch in progress, by the host's clock; 0: none */
  } timing;                 /* launch/timed.c */
  struct ag_handed_on *handed_on; /* output/handed_on.h; or NULL */
  struct ag_feed *feed;           /* of this run: output/feed.h; or NULL */
  ag_evaluation evaluation;
  ag_run_texts texts;
  const struct ag_name_lines *name_lines; /* the model's, where a run prints names */
} aotigen_run_state;

aotigen_run_state *ag_run_state_take(ag_model_state *m);
void ag_run_state_give(aotigen_run_state *s);
/* Takes a state that was async before; NULL if none is free. */
aotigen_run_state *ag_run_state_take_async(ag_model_state *m);

/* Uses the state's own record for a launch with nargs arguments. False if memory ran out. */
bool ag_run_state_use_own(aotigen_run_state *s, size_t nargs);

/* True if a run has to know which memory is its inputs' and its weights'. */
bool ag_wants_given(const aotigen_model *m);

/* A new run's number. */
uint64_t ag_run_next_number(void);

/* The innermost run of this thread, or NULL. */
aotigen_run *ag_run_current(void);
void ag_run_set_current(aotigen_run *run);

/* The run's current launch. */
ag_launch ag_run_launch(const aotigen_run *run);

/* The device index of the run: -1 if it is not known, for which the second returns 0. */
int32_t ag_run_known_device(const aotigen_run *run);
int32_t ag_run_device(const aotigen_run *run);
/* The device's stream that the run was given; NULL on the CPU, and for the default stream. */
void *ag_run_stream(const aotigen_run *run);
/* The one that the current launch is made on: another one only in a model with several. */
void *ag_run_launch_stream(const aotigen_run *run);

#endif
