/* model_state.h - the library's state of a model. Inside the library only.
 *
 * Made when the model is loaded, or at its first run; lives as long as the process. Threads share
 * it: its fields are constant, atomic, or under its lock. */
#ifndef AOTIGEN_MODEL_STATE_H
#define AOTIGEN_MODEL_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "shared/wrapper/aotigen.h"
#include "base/element_list.h"
#include "base/fork_lock.h"
#include "tensor/tensor.h"

/* Describes the guards chosen at build time, in --guard's own form: "canary,page:NAMES"; "" for
 * none. At most AG_GUARDS bytes. Async-signal-safe. */
enum { AG_GUARDS = 64 };
void ag_model_name_guards(const aotigen_model *model, char to[AG_GUARDS]);

/* A filtered-out site that counts the iterations of its loop. */
enum { AG_ONLY_COUNTED = 2 };

/* What the filters select of the model, for checks/selection.c. */
typedef struct ag_selection {
  atomic_bool has_selected;        /* a run had a launch that the filters selected */
  atomic_bool has_run;             /* AOTIGEN_RUNS selected a run */
  atomic_ullong runs;              /* counted where AOTIGEN_RUNS is set */
  atomic_ullong sampled;           /* runs of which AOTIGEN_EVERY checks some; counted there */
  atomic_int process;              /* that counted what follows: not one that it forked */
  atomic_ullong launches;          /* of the runs; counted where there is a filter */
  atomic_ullong left_out;          /* launches that the filters left out */
  struct ag_model_state *next_ran; /* in the list of the models that ran with a filter */
  atomic_bool is_listed;           /* it is in that list */
  atomic_bool said_kernels, said_launches;
} ag_selection;

/* The facts from an op's registered schema about a call by a site. */
typedef struct ag_op_facts {
  const char *schema;    /* "lab::rows(Tensor x) -> Tensor" */
  uint64_t only_read;    /* bit i: the op does not write to argument i of the site */
  bool makes_new_memory; /* no result shares its memory with an argument */
  bool differs;          /* the package was made for another schema */
} ag_op_facts;

/* The ops that its sites call, as registered: checks/op_registered.c. */
typedef struct ag_model_ops {
  const ag_op_facts **facts; /* by site, atomically; NULL if it is not known */
  ag_text fault;             /* under the lock: what to throw when the model is loaded */
} ag_model_ops;

/* The device that it was made for. */
typedef struct ag_model_device {
  const ag_backend *backend; /* where it is not the CPU, else NULL */
  bool async;                /* the model's runs need not wait for the device */
  _Atomic int32_t index;     /* that it was loaded for, -1 where none was named, or several */
} ag_model_device;

/* What memory/ keeps of it. */
typedef struct ag_model_memory {
  struct aotigen_buffer *given;              /* under the lock: memory/given.h */
  struct ag_growth *growth;                  /* under the lock: memory/growth.h */
  struct ag_op_allocations **op_allocations; /* under the lock: memory/op_allocations.h */
  _Atomic size_t peak; /* with AOTIGEN_MEMORY: of the run that was reported last */
} ag_model_memory;

/* The elements that are to be explained: launch/requested.c. */
typedef struct ag_model_explain {
  ag_element_list list; /* those that are requested, */
  bool built;           /* when building; else in the environment */
  atomic_uchar *flags;  /* by element: the flags of launch/requested.c */
  struct {              /* the last checked run that lacked one of the elements */
    atomic_ullong run, launches;
    atomic_bool listed;
    struct ag_model_state *next; /* in the list of the models with such runs */
  } unexplained;
} ag_model_explain;

/* Of a site's arguments: the opaque ones were named; an integer is converted to 32 bits. */
enum ag_arguments_said { AG_SAID_OPAQUE = 1, AG_SAID_CONVERTED = 2 };

/* What was written once, and is not written again. */
typedef struct ag_model_said {
  atomic_uchar *arguments;    /* by site: enum ag_arguments_said */
  atomic_uchar *promises;     /* by promise: a run did not keep it, which was only warned of */
  atomic_uchar *small_inputs; /* by input, bit i: a dimension has size i, 0 or 1 */
  struct {
    atomic_bool captured, ahead, waits, shared_weights, contents, unguarded, unfilled, streams;
  } warned; /* the warning was written */
} ag_model_said;

/* The weights are those that it was loaded with. */
enum { AG_LOADED_GENERATION = 1 };

typedef struct ag_model_state {
  pthread_mutex_t lock;
  ag_fork_lock over_fork;
  struct aotigen_run_state *pool; /* under the lock */
  const aotigen_model *model;
  const uint8_t *wanted; /* for each site: 0, 1 or AG_ONLY_COUNTED; `none` without a 1 */
  const uint8_t *none;   /* all 0 */
  const struct ag_wanted_hooks *hooks; /* atomically: launch/hooks.h */
  bool anything;                       /* a level is on */
  bool writes_given;                   /* a launch writes to an input or a weight */
  bool may_write_weights;              /* a launch may write to a weight */
  bool has_streams;                    /* its launches are on several of the device's streams */
  /* Each launch is waited for: --sync, CUDA_LAUNCH_BLOCKING=1, or memory that is guarded while
   * several streams use it, since what is filled in it must be ordered with all of them. */
  bool waits;
  bool launch_work;         /* a check or the printer needs the arguments of launches */
  bool loaded;              /* under the lock */
  atomic_ullong generation; /* the weights': AG_LOADED_GENERATION, and more */
  struct ag_saved_weights *saved_weights;  /* under the lock: output/saved_weights.h */
  atomic_bool weights_written;             /* a launch was given one to write to, by another name */
  struct ag_folding_fault *folding_faults; /* under the lock: checks/folding.c */
  ag_selection selection;
  ag_model_device device;
  ag_model_ops ops;
  ag_model_memory memory;
  ag_model_explain explain;
  ag_model_said said;
  struct ag_again *again;           /* under its own lock: checks/again.h */
  struct ag_launch_times *times;    /* under its own lock: state/launch_times.h */
  struct ag_name_lines *name_lines; /* under the lock: output/printer.c */
} ag_model_state;

/* NULL if memory ran out or the wrapper is of another ABI: then nothing is checked. */
ag_model_state *ag_model_state_of(aotigen_model *model);

/* Reports, once, that wrapper and library are of different ABI; the message is static. */
const char *ag_model_state_refuse(const aotigen_model *model);

/* The device index of a tensor, if the tensor is on a device of the model's type that has one; else
 * -1. */
int32_t ag_model_state_device(const ag_model_state *m, const ag_view *view);

/* True if the stream, on the model's device, is being captured into a graph. */
bool ag_model_state_is_capturing(const ag_model_state *m, void *stream);

/* True if the printer saves or prints the elements of tensors. */
static inline bool ag_model_prints_values(const aotigen_model *m) {
  return m->printer == 1 || m->printer == 2;
}

/* True if the model's weights hold what their last update gave them: no launch writes to one, also
 * not by another name, as far as it is known; none is left out that might; and the host has
 * neither been given weights nor given any of its own, whose memory it may write to untold. */
bool ag_model_state_keeps_weights(const ag_model_state *m);

/* Makes room for one more entry in a list, and may move *list. False if memory ran out. */
bool ag_list_grow(void **list, size_t *room, size_t count, size_t size);

#endif
