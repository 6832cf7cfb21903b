/* record.h - launches that are under way: what was launched with what, kept until the device has
 * answered what it was asked.
 *
 * Where a device can be asked without waiting (backend.h, ag_async) a run goes twice over its
 * launches. The thread of the run *plans*: it goes through a launch as if all were clean, only to
 * learn which tensors must be looked at, has the device look at them in one go, and puts the launch
 * on record. Later, when the answers are there, somebody *judges* the records in their order: the
 * same code again, on tables of its own, with the answers. So what is found, and what is said of
 * it, is what a blocking run would have found and said.
 *
 * An ag_async_run is such a run's records and the judge's state. Records are published in order by
 * the thread of the run, and evaluated in order by one thread at a time, whichever (desk.h). Its
 * memory is bounded: a thread that is too far ahead judges itself until there is room. Memory
 * belongs to pages, and a page is used again when all of its records were evaluated. A run that
 * goes into a graph keeps its records for good: no more than AG_RECORDS, and the pinned memory that
 * runs before it left.
 *
 * Of a record the run's thread alone writes, until it stores `stage` as AG_LAUNCHED or AG_THROWN,
 * its last word (release); then whoever judges. Until then others read `stage`, and of `args` what
 * was bound before the record was published. `published` and the two `evaluated` are such last
 * words too: what they count is complete.
 */
#ifndef AOTIGEN_RECORD_H
#define AOTIGEN_RECORD_H

#include "launch/run.h"

enum { AG_RECORDS = 1024, AG_PAGES = 16 };
#define AG_NO_SITE UINT32_MAX /* of the record of the model's inputs */

/* AG_THROWN: something was thrown before it could be launched, or while it was. */
enum ag_stage { AG_LAUNCHING, AG_LAUNCHED, AG_THROWN };

typedef struct ag_record {
  uint64_t launch, unseen; /* as the run had them (aotigen_run) */
  uint32_t site;           /* or AG_NO_SITE */
  const void *stream;      /* that it was launched on */
  atomic_int stage;        /* the judge begins when it is AG_LAUNCHED */
  uint32_t mark; /* that the stream writes when the launch is over; 0 where an answer says so */
  size_t nargs;
  ag_arg *args;
  ag_scan_batch batch[2]; /* by enum ag_when */
  size_t room[2];         /* for targets of each */
  struct ag_page *page;
} ag_record;

/* The run's thread's, but for `evaluated`. Chunks and pins are kept from run to run, never freed.
 */
typedef struct ag_page {
  struct ag_chunk *chunks;
  ag_pinned *pins;
  size_t npins, pins_room, used; /* used: bytes of the chunks */
  uint32_t records;              /* that have their memory here, and of them: */
  atomic_uint evaluated;
} ag_page;

/* One and its `state` stay together from run to run, or until a capture takes it over. What the
 * run's thread sets before `active` does not change while that is true, but for what is said to.
 * Who has not `eval_lock` may find another run there the next moment: what he looks at is atomic,
 * and `slot` is not for him. */
typedef struct ag_async_run {
  struct ag_async_run *next; /* of all that there ever were; never freed */
  const ag_async *async;     /* this and the judge are a model's, and never change */
  aotigen_run_state *state, *judge;
  aotigen_model *model;
  uint64_t number;    /* of the run; of a graph that of the replay that was evaluated last */
  atomic_long thread; /* of the run, as the log names it */
  _Atomic int32_t device_index;
  void *slot, *stream;        /* stream: of the launch in progress; the run's thread's alone */
  _Atomic(const void *) home; /* the stream that the run began on */
  atomic_ullong order;        /* a run that began later has a greater one */
  ag_record *records[AG_RECORDS];
  atomic_uint published, evaluated;
  atomic_ullong answered; /* records that were evaluated, ever */
  ag_page pages[AG_PAGES];
  unsigned page;
  pthread_mutex_t eval_lock; /* held by whoever judges; guards the judge, `number` of a graph, and
                                all below that is not atomic */
  atomic_bool active;    /* from before the first record to the end of the verdicts; of a graph from
                            its capture's end on */
  atomic_bool ended;     /* the run is over */
  atomic_bool lost;      /* the device died before all was answered */
  atomic_bool captured;  /* it goes into a graph: the records stay, and are evaluated for each
                            replay. Set before `active` */
  uint64_t captured_run; /* the run that did. Likewise */
  uint32_t replay;       /* that is evaluated, or was last; 0: none yet */
  uint32_t missed;       /* replays that were not looked at, of which it was said */
  uint64_t finished;     /* the last launch that is known to be over, and its site */
  uint32_t finished_site;
} ag_async_run;

/* The run goes on without waiting from here on, if it can: once a run, at its first launch or
 * input. device_index: that this is on, or -1. */
void ag_defer(aotigen_run *run, int32_t device_index);
/* The run that went into a graph is over: from here on its replays are evaluated, unless an
 * exception ended it. Its state is the desk's for good. */
void ag_record_captured(aotigen_run *run, bool unwinding);

/* A record with room for nargs arguments, which become the run's; NULL where memory ran out: then
 * nothing is looked at. Once they are bound it is published. */
ag_record *ag_record_begin(aotigen_run *run, uint32_t site, size_t nargs);
void ag_record_publish(aotigen_run *run);
/* Memory that lives as long as the record, and words in it: a message is only good until the
 * thread's next one. NULL where there is none. */
void *ag_record_memory(ag_record *r, size_t bytes);
const char *ag_record_words(ag_record *r, const char *words);
/* Has the device asked what was planned for `when`. The sticky_error where the device is dead, else
 * NULL: what cannot be asked is not looked at. */
const char *ag_record_ask(aotigen_run *run, enum ag_when when);
/* The launch was made: the judge may have it. Sees to it that its end will be known. The
 * sticky_error, or NULL. */
const char *ag_record_launched(aotigen_run *run);
/* Was there a launch whose end could not be marked, ever: it passes for over. */
bool ag_record_unmarked(void);
/* The last one was never launched, if it was not. */
void ag_record_thrown(aotigen_run_state *s);

/* From here on the records of a graph, none of which is over where this replay has not come to it,
 * are those of this one. With `eval_lock` held. */
void ag_record_replay(ag_async_run *d, uint32_t replay);

/* Is the launch known to be over. */
bool ag_record_over(const ag_async_run *d, const ag_record *r);

static inline const ag_record *ag_record_at(const ag_async_run *d, unsigned i) {
  return d->records[i % AG_RECORDS];
}

#endif
