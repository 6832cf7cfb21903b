/* launch_hooks.h - what a check, or another feature, does at a launch. Inside the library only.
 *
 * A feature defines one ag_launch_hooks in its own file and has one entry in launch/hooks.def,
 * which decides its order. A hook that is NULL is not called; nor is any hook of a feature that the
 * model does not want. So a hook need not ask whether its feature is on.
 *
 * The hooks of a launch are called on the run's thread. A hook that returns a text found a fault:
 * the text is thrown, and lives until the next fault of the run. The rest of the table is not
 * called then. The hooks of values are called where the launch is evaluated: on the run's thread,
 * or, in an async run, when the results have arrived, on the thread that holds the run's
 * `eval_lock`. */
#ifndef AOTIGEN_LAUNCH_HOOKS_H
#define AOTIGEN_LAUNCH_HOOKS_H

#include "state/run_state.h"

/* The numbers of elements of a tensor that are copied with a scan: from its start, and from its
 * end. */
typedef struct ag_edges {
  int16_t head, tail;
} ag_edges;

typedef struct ag_launch_hooks {
  /* True if the feature is on. Called once, when the model first runs; depends only on the model's
   * levels and tables and the settings. */
  bool (*wanted)(const ag_model_state *m);

  /* ---- of a run */
  void (*begin_run)(aotigen_run *run);
  /* The thread is back in the run before this one. unwinding: an exception leaves the run. */
  void (*end_run)(aotigen_run *run, bool unwinding);
  /* Instead of these, of a run that AOTIGEN_EVERY leaves out: it must cost next to nothing. */
  void (*begin_unchecked)(aotigen_run *run);
  void (*end_unchecked)(aotigen_run *run, bool unwinding);

  /* ---- of a launch. run->site, run->launch and run->state->record are its own; the record is NULL
   * where no level needs arguments, and is not scanned where record->scanned is false. */
  const char *(*before)(aotigen_run *run); /* its arguments are bound */
  void (*launching)(aotigen_run *run);     /* no fault was found: the launch is made next */
  /* It has returned; the record's views are still those from before it. */
  const char *(*returned)(aotigen_run *run);
  const char *(*after)(aotigen_run *run); /* what it made is bound */
  /* After `after`, whether that found a fault or not. Returns `fault`, or another one if it is
   * NULL. */
  const char *(*over)(aotigen_run *run, const char *fault);
  /* The call threw an exception of this text. */
  const char *(*failed)(aotigen_run *run, const char *what);
  /* Instead of all these, if the filters exclude the launch, or it has no record. */
  void (*left_out)(aotigen_run *run);

  /* ---- of values. e->record is the launch's. */
  void (*evaluate_before)(ag_evaluation *e); /* what it read, before it has run */
  void (*evaluate_after)(ag_evaluation *e);
  void (*evaluate_end)(ag_evaluation *e); /* every launch of the run was evaluated */
  /* The values that evaluate_before or evaluate_after will read of an argument that is a tensor
   * with elements: enum ag_want, 0 for none; and the elements, if *edges is set. In an async run
   * the device is asked for them in advance. */
  unsigned (*wants)(const ag_arg *a, enum ag_when when, ag_edges *edges);
} ag_launch_hooks;

/* AG_LAUNCH_HOOKS(name) = {...}; in the feature's file. */
#define AG_LAUNCH_HOOKS(name)                                                                      \
  extern const ag_launch_hooks ag_##name##_hooks;                                                  \
  const ag_launch_hooks ag_##name##_hooks

/* ---- `wanted` of more than one feature ------------------------------------------------------- */

/* A level needs the arguments of launches. */
static inline bool ag_wants_launches(const ag_model_state *m) { return m->launch_work; }
/* The guard of arguments is on. */
static inline bool ag_wants_guard(const ag_model_state *m) { return m->model->check_inputs & 2; }
/* Memory is guarded: --guard. */
static inline bool ag_wants_memory(const ag_model_state *m) { return m->model->guard != 0; }
/* Runs of the model need not wait for their device. */
static inline bool ag_wants_async(const ag_model_state *m) { return m->device.async; }
/* And their records have arguments that may be scanned. */
static inline bool ag_wants_scans(const ag_model_state *m) {
  return m->device.async && m->launch_work;
}

/* True if a site of the model is such a one. */
static inline bool ag_has_site(const ag_model_state *m, bool (*is)(const aotigen_site *site)) {
  for (uint32_t i = 0; i < m->model->nsites; i++)
    if (is(&m->model->sites[i])) return true;
  return false;
}

#endif
