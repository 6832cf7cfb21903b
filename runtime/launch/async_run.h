/* async_run.h - a run whose launches are evaluated later: its records, and the requests to the
 * device for them. Inside the library only.
 *
 * The run's thread makes a record for each launch, has the device scan its tensors in one batch
 * before the launch and one after it, and goes on. When the results have arrived, the evaluator
 * (evaluator_thread.h) evaluates the records in their order. So the reports are those of a run that
 * waits.
 *
 * An ag_async_run and its run state stay together for many runs, until a capture takes them over.
 * Its memory is bounded: a thread that is too far ahead evaluates records itself until there is
 * room (backpressure.h). A captured run keeps its records for good: at most AG_RECORDS, and the
 * pinned memory that runs before it left.
 *
 * Threads. Until `active` is set only the run's thread writes. The run's thread publishes records
 * (`queue.published`, release); the holder of `eval_lock` evaluates them (`queue.evaluated`,
 * release). What is not atomic and does not belong to the run's thread is guarded by `eval_lock`.
 * Without it, another run may take the place of this one at any moment: read what is atomic, and
 * never `place.slot`. */
#ifndef AOTIGEN_ASYNC_RUN_H
#define AOTIGEN_ASYNC_RUN_H

#include "state/run_state.h"

enum { AG_RECORDS = 1024, AG_SIDE_STREAMS = 7, AG_UNTOLD = 64 };

/* The run's thread writes it and any thread reads it, except `published` and `evaluated`. */
typedef struct ag_record_queue {
  ag_record *records[AG_RECORDS];
  atomic_uint published, evaluated;
  atomic_ullong answered; /* the number of records that were ever evaluated */
  ag_pages pages;
} ag_record_queue;

/* The last launch of a stream that is known to have ended. */
typedef struct ag_finished {
  uint64_t launch; /* 0: none */
  uint32_t site;
} ag_finished;

/* A stream beside the run's own on which the run made launches: its batches run beside those of the
 * others, so they have memory of their own. */
typedef struct ag_side_stream {
  const void *stream;
  void *slot;
  ag_finished finished;
} ag_side_stream;

/* Where the run executes. */
typedef struct ag_async_place {
  atomic_long thread; /* the run's thread, as the log names it */
  _Atomic int32_t device_index;
  void *slot; /* the device's slot: memory of its own, and mapped status words */
  ag_side_stream sides[AG_SIDE_STREAMS]; /* in the order of their first launches */
  atomic_uint nsides; /* published by the run's thread, for the one that reads a lost device */
  _Atomic(const void *) home; /* the stream that the run began on */
  atomic_ullong order;        /* a run that began later has a greater one */
} ag_async_place;

/* State of a run that was captured into a graph. */
typedef struct ag_captured {
  uint64_t run;    /* the number of the captured run */
  uint32_t replay; /* the replay that is evaluated, or was last; 0: none yet */
  uint32_t missed; /* replays that were not scanned, as far as reported */
} ag_captured;

/* Launches of the run's own stream, the last ones, of which nothing tells yet that they are over:
 * marks.h. The run's thread. */
typedef struct ag_untold {
  ag_record *list[AG_UNTOLD];
  unsigned n;
} ag_untold;

/* The watchdog thread's state of a run (watchdog.h). */
typedef struct ag_watched_run {
  bool pending, reported;
  unsigned long long order; /* these three are those of ag_suspect_place */
  uint32_t replay;
  unsigned launch;
  bool is_behind;
  int64_t since; /* when it became the first that has not ended, by the watchdog's clock */
} ag_watched_run;

typedef struct ag_async_run {
  struct ag_async_run *next; /* the list of all; none is freed */
  const ag_async *async;     /* this and `owner` never change */
  ag_model_state *owner;
  aotigen_run_state *state;
  uint64_t number; /* the run's; for a graph, that of the last evaluated replay */
  ag_async_place place;
  ag_record_queue queue;
  ag_captured captured;
  ag_finished finished; /* of its own stream */
  ag_untold untold;
  ag_watched_run watched;
  pthread_mutex_t eval_lock;
  atomic_bool active; /* true from before the first record to the end of the evaluation; for a graph
                         from the end of its capture on */
  atomic_bool ended;  /* the run is over */
  atomic_bool lost;   /* the device was lost before every result arrived */
  atomic_bool is_captured; /* set before `active` */
} ag_async_run;

/* The state's own run, made at the first call; NULL if memory ran out. */
ag_async_run *ag_async_run_of(aotigen_run_state *s);
/* The list of all runs, the newest first, linked by `next`. */
ag_async_run *ag_async_run_all(void);

/* Empties the queue for a run that begins. */
void ag_async_run_reset(ag_async_run *d, uint64_t number, int32_t device_index, const void *stream);

/* Gives back the slots of a run that is over, unless the device was lost. */
void ag_async_run_give_slots(ag_async_run *d);

/* Makes a record for the launch in progress, which becomes the run's. A launch on a stream without
 * a slot is not scanned. NULL if the queue is full,
 * its next page is in use, or memory ran out. Publish it once its arguments are bound. Does what
 * ag_async_run_thrown() does with the previous record. */
ag_record *ag_async_run_record(aotigen_run *run, const ag_launch *l, size_t nargs);
void ag_async_run_publish(aotigen_run *run);
/* True if there is room for one more record without waiting for an evaluation. */
bool ag_async_run_has_room(ag_async_run *d);

/* Takes pinned memory of that size, which lives as long as the run's record. False if there is
 * none. */
bool ag_async_run_take_pinned(aotigen_run *run, size_t bytes, ag_pinned *piece);

/* Has the device scan what was planned for `when`. Returns the device's sticky error if it is lost,
 * else NULL. What cannot be scanned is skipped. */
const char *ag_async_run_ask(aotigen_run *run, enum ag_when when);
/* The last recorded launch was not made, unless ag_marks_launched() was called for it. */
void ag_async_run_thrown(aotigen_run_state *s);

/* What has ended of the stream; NULL for one without a slot. */
ag_finished *ag_async_run_finished(ag_async_run *d, const void *stream);

static inline ag_record *ag_async_run_at(const ag_async_run *d, unsigned i) {
  return d->queue.records[i % AG_RECORDS];
}
/* The first record that is not evaluated, or NULL. The caller holds `eval_lock`. */
ag_record *ag_async_run_next(const ag_async_run *d);

/* Makes the graph's records those of this replay: none has ended before the replay reaches it. The
 * caller holds `eval_lock`. */
void ag_async_run_enter_replay(ag_async_run *d, uint32_t replay);

/* Warn, once per model, that launches are not scanned, and why. */
void ag_async_run_say_ahead(const aotigen_run *run) AG_COLD;
void ag_async_run_say_sync(const aotigen_run *run) AG_COLD;
/* why: NULL if `what` says it. */
void ag_async_run_say_captured(const aotigen_run *run, int32_t device_index, const char *what,
                               const char *why) AG_COLD;
extern const char ag_not_scanned[]; /* `what` of a graph that is not scanned at all */

#endif
