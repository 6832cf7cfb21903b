/* hooks.h - the hooks of all features (state/launch_hooks.h) in the order of their table, and those
 * of them that a model wants. Inside the library only.
 */
#ifndef AOTIGEN_HOOKS_H
#define AOTIGEN_HOOKS_H

#include "state/launch_hooks.h"

enum { AG_HOOKS_MOST = 48 };

/* The hooks that a model wants, by kind, in the order in which they are called. NULL ends each
 * list. */
typedef struct ag_wanted_hooks {
  void (*begin_run[AG_HOOKS_MOST])(aotigen_run *run);
  void (*end_run[AG_HOOKS_MOST])(aotigen_run *run, bool unwinding);
  void (*begin_unchecked[AG_HOOKS_MOST])(aotigen_run *run);
  void (*end_unchecked[AG_HOOKS_MOST])(aotigen_run *run, bool unwinding);
  const char *(*before[AG_HOOKS_MOST])(aotigen_run *run);
  void (*launching[AG_HOOKS_MOST])(aotigen_run *run);
  const char *(*returned[AG_HOOKS_MOST])(aotigen_run *run);
  const char *(*after[AG_HOOKS_MOST])(aotigen_run *run);
  const char *(*over[AG_HOOKS_MOST])(aotigen_run *run, const char *fault);
  const char *(*failed[AG_HOOKS_MOST])(aotigen_run *run, const char *what);
  void (*left_out[AG_HOOKS_MOST])(aotigen_run *run);
  void (*evaluate_before[AG_HOOKS_MOST])(ag_evaluation *e);
  void (*evaluate_after[AG_HOOKS_MOST])(ag_evaluation *e);
  void (*evaluate_end[AG_HOOKS_MOST])(ag_evaluation *e);
  unsigned (*wants[AG_HOOKS_MOST])(const ag_arg *a, enum ag_when when, ag_edges *edges);
} ag_wanted_hooks;

/* Chosen once, at the first call: m->hooks has them from then on. NULL if memory ran out. */
const ag_wanted_hooks *ag_hooks_of(ag_model_state *m);

/* True if a hook wants values that the NaN assert does not need: they are requested and evaluated
 * in each launch. */
static inline bool ag_hooks_want_values(const ag_model_state *m) { return m->hooks->wants[0]; }

/* Call the hooks of one list for the run. The message of the first that finds a fault, or NULL. */
void ag_hooks_call(void (*const *list)(aotigen_run *), aotigen_run *run);
const char *ag_hooks_ask(const char *(*const *list)(aotigen_run *), aotigen_run *run);

/* An exception left the launch in progress: returns what to throw instead, or NULL. */
const char *ag_hooks_failed(aotigen_run *run, const char *what);

#endif
