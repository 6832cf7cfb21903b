/* launch_times.h - how long the launches of a model took, by launch: AOTIGEN_TIME. Inside the
 * library only.
 *
 * A row has the launches of one number and site, over all runs. The first of each stands apart: it
 * may have loaded its kernel or chosen an algorithm. Launches of a higher number than MOST, and
 * those of a number that another site has, are in one row of their site.
 *
 * Any thread may call. Of a child of fork() only its own launches count. */
#ifndef AOTIGEN_LAUNCH_TIMES_H
#define AOTIGEN_LAUNCH_TIMES_H

#include "state/model_state.h"

enum { AG_TIMES_MOST = 16384, AG_TIMES_SAMPLES = 128 };

typedef struct ag_launch_time {
  uint64_t launch; /* its number; 0: several of the site */
  uint32_t site;
  uint64_t count;            /* without the first */
  int64_t first, min, total; /* nanoseconds; the last two without the first */
  float *samples;            /* of times, in nanoseconds: one of `step`, for the median */
  uint32_t nsamples, room;
  uint64_t step;
} ag_launch_time;

/* Why launches were not timed. */
enum ag_untimed { AG_UNTIMED_CAPTURED, AG_UNTIMED_ROOM, AG_UNTIMED_DEVICE, AG_UNTIMED_KINDS };

typedef struct ag_launch_times {
  pthread_mutex_t lock;
  ag_fork_lock over_fork;
  struct ag_launch_times *next; /* of all models */
  const aotigen_model *model;
  pid_t process; /* whose launches these are */
  ag_launch_time *rows;
  size_t n, room;
  uint32_t *by_launch; /* 1 + the row, by number; 0: none */
  uint32_t *by_site;   /* the same of the rows without a number */
  uint64_t runs;
  uint64_t untimed[AG_UNTIMED_KINDS];
  uint64_t late;    /* that include time in which the device waited for the host */
  int64_t empty_ns; /* what was subtracted of each; 0 of a clock */
} ag_launch_times;

/* The model's; made at the first call. NULL if memory ran out. */
ag_launch_times *ag_launch_times_of(ag_model_state *m);
/* That of any model that has some, in no order; then ->next. */
ag_launch_times *ag_launch_times_all(void);

void ag_launch_times_begin_run(ag_model_state *m);
void ag_launch_times_add(ag_model_state *m, uint32_t site, uint64_t launch, int64_t ns);
void ag_launch_times_add_untimed(ag_model_state *m, enum ag_untimed why);
/* Notes that a time that is added has waited for the host, and what is subtracted of all. */
void ag_launch_times_note_late(ag_model_state *m);
void ag_launch_times_note_empty(ag_model_state *m, int64_t ns);

/* Nanoseconds; of the only launch where there is no other. Sorts the samples. */
int64_t ag_launch_time_median(ag_launch_time *row);

#endif
