/* hooks.c - see hooks.h. */
#define _GNU_SOURCE
#include "launch/hooks.h"

#include <stdlib.h>

#define ROW(name, why) extern const ag_launch_hooks ag_##name##_hooks;
#include "launch/hooks.def"
#undef ROW

static const ag_launch_hooks *const table[] = {
#define ROW(name, why) &ag_##name##_hooks,
#include "launch/hooks.def"
#undef ROW
};

enum { ROWS = sizeof table / sizeof *table };
_Static_assert((int)ROWS < (int)AG_HOOKS_MOST, "the last of each list is NULL");

/* Adds an entry's hook to the list of its kind. */
#define TAKE(kind)                                                                                 \
  do {                                                                                             \
    size_t n = 0;                                                                                  \
    while (to->kind[n]) n++;                                                                       \
    to->kind[n] = row->kind;                                                                       \
  } while (0)

static void take_down(ag_wanted_hooks *to, const ag_launch_hooks *row) {
  TAKE(begin_run);
  TAKE(begin_unchecked);
  TAKE(before);
  TAKE(returned);
  TAKE(after);
  TAKE(over);
  TAKE(failed);
  TAKE(left_out);
  TAKE(evaluate_before);
  TAKE(evaluate_after);
  TAKE(evaluate_end);
  TAKE(wants);
}

static void take_up(ag_wanted_hooks *to, const ag_launch_hooks *row) {
  TAKE(launching);
  TAKE(end_run);
  TAKE(end_unchecked);
}

static ag_wanted_hooks *choose(const ag_model_state *m) {
  ag_wanted_hooks *to = calloc(1, sizeof *to);
  for (size_t i = 0; to && i < ROWS; i++)
    if (table[i]->wanted(m)) take_down(to, table[i]);
  for (size_t i = ROWS; to && i-- > 0;)
    if (table[i]->wanted(m)) take_up(to, table[i]);
  return to;
}

const ag_wanted_hooks *ag_hooks_of(ag_model_state *m) {
  const ag_wanted_hooks *found = __atomic_load_n(&m->hooks, __ATOMIC_ACQUIRE);
  if (found) return found;
  pthread_mutex_lock(&m->lock);
  if (!m->hooks) __atomic_store_n(&m->hooks, choose(m), __ATOMIC_RELEASE);
  found = m->hooks;
  pthread_mutex_unlock(&m->lock);
  return found;
}

void ag_hooks_call(void (*const *list)(aotigen_run *), aotigen_run *run) {
  while (*list) (*list++)(run);
}

const char *ag_hooks_ask(const char *(*const *list)(aotigen_run *), aotigen_run *run) {
  const char *fault = NULL;
  while (*list && !fault) fault = (*list++)(run);
  return fault;
}

const char *ag_hooks_failed(aotigen_run *run, const char *what) {
  const char *fault = NULL;
  for (size_t i = 0; run->state->model->hooks->failed[i] && !fault; i++)
    fault = run->state->model->hooks->failed[i](run, what);
  return fault;
}
