/* run.h - a run in progress: what the runtime keeps of it between two markers. Inside the library
 * only.
 *
 * A model's state is made when it is loaded, or at its first run, and lives as long as the process;
 * it is shared by threads, under its lock or constant. A run's state is taken from the model's pool
 * when the run begins and given back when it ends, buffers and all, so that nothing is allocated at
 * a launch once things are warm. It belongs to the thread of the run; where the run was on record
 * and is over, to the desk (desk.h), which gives it back, or keeps it if it went into a graph.
 */
#ifndef AOTIGEN_RUN_H
#define AOTIGEN_RUN_H

#include <pthread.h>
#include <stdatomic.h>

#include "aotigen.h"
#include "checks/ranges.h"
#include "base/settings.h"
#include "tensor/tensor.h"
#include "base/text.h"

/* One argument of the launch in progress. */
typedef struct ag_arg {
  const aotigen_param *param;
  aotigen_value value; /* of a scalar, or the handle; never its sizes, which are the marker's */
  const char *was;     /* the name under which it was written, where that is another */
  bool reads;          /* a floating-point tensor that the launch reads */
  bool asserted_after; /* one that it writes */
  bool lazy;      /* a weight that was found clean in an earlier run, not looked at in this one */
  bool counted;   /* `before` was looked at */
  int source;     /* enum ag_source, of a tensor that is read */
  uint32_t index; /* of the input or weight */
  ag_findings found; /* before the launch */
  const ag_view *earlier,
      *later; /* on record: before the launch and after it, where the two differ */
  ag_view view;
  ag_stats before, after; /* where `counted`, and where `asserted_after`; else they say nothing */
} ag_arg;

enum ag_when { AG_BEFORE, AG_AFTER };

/* How a run comes to know what is in its tensors: by waiting for it; or on record (record.h),
 * planned first and evaluated later. */
enum ag_mode { AG_NOW, AG_PLANNING, AG_JUDGING };

enum ag_source { AG_FROM_NOWHERE, AG_FROM_LAUNCH, AG_FROM_INPUT, AG_FROM_WEIGHT };

/* Where a bad value came from. */
typedef struct ag_origin {
  enum { AG_BORN, AG_ARRIVED, AG_UNKNOWN } how;
  uint8_t bad;     /* kinds */
  uint64_t launch; /* that it was born in or first seen at */
  uint32_t site;
  const char *name; /* of the argument, the input or the weight */
  int source;       /* enum ag_source; and index: to know an input or weight again */
  uint32_t index;
  uint32_t passed; /* how many launches passed it on */
} ag_origin;

/* A launch that passed a bad value on. */
typedef struct ag_step {
  uint64_t launch;
  uint32_t site;
  uint16_t origin, param;
} ag_step;

typedef struct ag_model_state {
  pthread_mutex_t lock;
  struct aotigen_run_state *pool;
  const aotigen_model *model;
  const uint8_t *wanted;     /* a flag for each site; `none` where no flag is set */
  const uint8_t *none;       /* all 0 */
  atomic_uchar *said;        /* a flag for each site: its opaque arguments were named */
  atomic_ullong generation;  /* of the weights */
  bool launch_work;          /* is there anything to do at a launch that needs its tensors */
  const ag_backend *backend; /* of the model's device where it is not the CPU, else NULL */
  bool defers;               /* its runs need not wait */
  atomic_bool said_captured, said_ahead, said_waits;
  bool loaded;                  /* under the lock */
  _Atomic int32_t device_index; /* that it was loaded for, -1 where none was named, or several */
} ag_model_state;

typedef struct aotigen_run_state {
  struct aotigen_run_state *next; /* in the pool */
  struct aotigen_run
      *previous; /* the run that this thread was in when this one began, of whatever model */
  ag_model_state *model;
  bool active; /* between before() and after() of a launch that is wanted */
  enum ag_mode mode;
  int32_t inputs_device; /* the index of the device that the model was loaded for, or else an input
                            is on; -1 where neither tells */
  bool settled;          /* the mode is chosen */
  bool left_out; /* none of the run's launches is looked at: its device has to be waited for in
                    timed_out */
  bool looks;    /* the launch in progress is looked at; else only guarded and named */
  struct ag_async_run
      *async_run;           /* once a run of this state was on record; of the judge's state too */
  struct ag_record *record; /* of the launch in progress, where the mode is not AG_NOW */
  ag_arg *args;             /* of the launch in progress: own_args, or the record's */
  size_t nargs;
  ag_arg *own_args;
  size_t room;
  /* `weights` goes from run to run. Where the set changed it is made anew (weights.c), which is
   * `weights_news`. On record the judge is given it once a run (settle_tables() in record.c); where
   * he found something in one that the plan took for clean (nan.c), that is `weights_suspect`, and
   * the next run takes his over in that place, unless there is news. */
  ag_ranges written, inputs, weights;
  const void **weight_data; /* what `weights` was made of; and the generation */
  unsigned long long weights_generation;
  bool weights_checked;
  bool tables_settled;  /* on record: the judge was given `inputs` and `weights` as they are */
  bool weights_news;    /* `weights` was made anew since it was given them */
  bool weights_suspect; /* of the judge: one was not clean, or was written to, so that the judge's
                           table is the better one */
  bool death_told;      /* the device's error was reported in this run */
  ag_origin *origins;
  size_t norigins, origins_room;
  ag_step *steps;
  size_t nsteps, steps_room;
  ag_text message; /* handed to the caller */
  ag_text pending; /* a fault that will be thrown before the outputs are handed over */
  ag_text inputs_fault;
  ag_text scratch;
  ag_view view; /* scratch */
} aotigen_run_state;

/* NULL where memory ran out or the wrapper is of another ABI: then nothing is checked. */
ag_model_state *ag_model_state_of(aotigen_model *model);
aotigen_run_state *ag_state_take(ag_model_state *m);
void ag_state_give(aotigen_run_state *s);
/* One that was on record before; NULL where none is free. */
aotigen_run_state *ag_state_take_async(ag_model_state *m);
/* As at the start of a run; what is known of weights stays. */
void ag_state_clear(aotigen_run_state *s);

/* Says, once, that wrapper and library are of different ABI; the message is static. */
const char *ag_refuse_abi(const aotigen_model *model);

/* The number of a run that begins now. */
uint64_t ag_next_run(void);

/* The innermost run of this thread, or NULL. */
aotigen_run *ag_current_run(void);

/* The index of the device that a tensor is on, where it is one of the model's and says which; else
 * -1. */
int32_t ag_view_device(const ag_model_state *m, const ag_view *v);
/* The index of the device that the launch in progress, or the run, is on; 0 where nothing tells. */
int32_t ag_run_device(const aotigen_run *run);
/* The device's stream that the run launches on; NULL on the CPU. */
void *ag_run_stream(const aotigen_run *run);

/* Room for one more in a list of the state: with *list moved; false where memory ran out. */
bool ag_grow(void **list, size_t *room, size_t count, size_t size);

static inline const aotigen_site *ag_site(const aotigen_run *run) {
  return &run->model->sites[run->site];
}

/* ---- the stages of a launch, each in its file; each returns NULL or the message to throw ---- */

const char *ag_guard_before(aotigen_run *run);
const char *ag_guard_after(aotigen_run *run);
void ag_nan_before(aotigen_run *run);
void ag_nan_after(aotigen_run *run);
void ag_nan_run_end(aotigen_run *run);
void ag_print_launch(aotigen_run *run, bool after);
void ag_print_input(aotigen_run *run, const aotigen_input *input, const ag_arg *a);
void ag_save_launch(aotigen_run *run, bool after);
void ag_save_input(aotigen_run *run, const aotigen_input *input, const ag_view *view);

/* As it is before anything is known of it. */
void ag_arg_reset(ag_arg *a);

/* An argument that the launch had to leave undefined until it ran. */
static inline bool ag_arg_late(const ag_arg *a) { return a->param->flags & AOTIGEN_LATE; }
static inline bool ag_arg_writes(const ag_arg *a) {
  return a->param->role != AOTIGEN_IN || ag_arg_late(a);
}

#endif
