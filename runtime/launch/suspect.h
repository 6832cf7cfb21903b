/* suspect.h - the first launch of an async run that is not known to be over, and the launches
 * around it. Reads the host's memory alone. Inside the library only.
 */
#ifndef AOTIGEN_SUSPECT_H
#define AOTIGEN_SUSPECT_H

#include "launch/async_run.h"

typedef struct ag_suspect {
  ag_launch launch;
  const ag_async_run *d;
  const ag_record *record;
  long thread; /* that made it: the run may be another one's as soon as the lock is given back */
  ag_finished finished;
  unsigned more;  /* how many were launched after it, */
  uint64_t last;  /* and the last of them */
  bool is_behind; /* the device has not come to it: its stream is at what was given before */
} ag_suspect;

/* With the async run's `eval_lock` held. False where there is none. Of a graph in flight the
 * records become those of the replay, which is a run of its own. */
bool ag_suspect_find(ag_async_run *d, ag_suspect *s);

/* Also with the lock held: only which launch it is. A replay gets no run number. False also while
 * the host is still making that launch. */
typedef struct ag_suspect_place {
  unsigned long long order; /* of the run */
  uint32_t replay;
  unsigned launch;
  bool is_behind;
} ag_suspect_place;
bool ag_suspect_peek(ag_async_run *d, ag_suspect_place *p);

/* Lines of a report. */
void ag_suspect_add_launch(ag_text *t, const char *label, const aotigen_model *model,
                           uint64_t launch, uint32_t site);
void ag_suspect_add_finished(ag_text *t, const ag_suspect *s);
void ag_suspect_add_behind(ag_text *t, const ag_suspect *s);
void ag_suspect_add_arguments(ag_text *t, const ag_suspect *s);

#endif
