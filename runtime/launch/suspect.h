/* suspect.h - the first launch of an async run that is not known to be over, and the launches
 * around it. Of a run on several streams each stream has its own first; one that the device has
 * begun comes before those that wait for their turn. It reads only the host's memory. Inside the
 * library only. */
#ifndef AOTIGEN_SUSPECT_H
#define AOTIGEN_SUSPECT_H

#include "launch/async_run.h"

typedef struct ag_suspect {
  ag_launch launch;
  const ag_async_run *d;
  const ag_record *record;
  long thread; /* its maker: the run may be another thread's once the lock is released */
  ag_finished finished;
  unsigned more;      /* the number of launches after it, on all streams */
  uint64_t last;      /* the last of them */
  unsigned of;        /* it is the first of so many, of which each may be the one: marks.h */
  unsigned at, until; /* their records */
  bool is_behind;     /* the device has not begun it: its stream is at earlier work */
} ag_suspect;

/* Finds the suspect. False if there is none. In a graph, the records become those of the replay in
 * flight, which is a run of its own. The caller holds the async run's `eval_lock`. */
bool ag_suspect_find(ag_async_run *d, ag_suspect *s);
/* The same on the run's other streams, as far as the device has begun them: up to AG_SIDE_STREAMS.
 * `first`: what ag_suspect_find() found. Returns their number. */
unsigned ag_suspect_find_others(ag_async_run *d, const ag_suspect *first, ag_suspect *others);

/* Makes it the next one of the `of`; false if there is none. With the lock held, too. */
bool ag_suspect_advance(ag_suspect *s);

/* Finds only which launch it is, also with the lock held. Gives a replay no run number. False also
 * while the host is still making that launch. */
typedef struct ag_suspect_place {
  unsigned long long order; /* the run's */
  uint32_t replay;
  unsigned launch;
  bool is_behind;
} ag_suspect_place;
bool ag_suspect_peek(ag_async_run *d, ag_suspect_place *p);

/* Lines of a report. */
void ag_suspect_add_finished(ag_text *t, const ag_suspect *s);
void ag_suspect_add_unfinished(ag_text *t, const ag_suspect *s);
void ag_suspect_add_behind(ag_text *t, const ag_suspect *s);
void ag_suspect_add_arguments(ag_text *t, const ag_suspect *s);

#endif
