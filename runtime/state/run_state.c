/* run_state.c - the pool of run states, a thread's current run, and what a run knows of its
 * device. */
#define _GNU_SOURCE
#include "state/run_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/settings.h"
#include "state/released_buffers.h"

static _Thread_local aotigen_run *current;
static atomic_ullong runs;

uint64_t ag_run_next_number(void) { return atomic_fetch_add(&runs, 1) + 1; }

bool ag_wants_given(const aotigen_model *m) {
  return m->nan_asserts || ag_settings_get()->feed != NULL;
}

aotigen_run *ag_run_current(void) { return current; }
void ag_run_set_current(aotigen_run *run) { current = run; }

/* Origins belong to a run, weights do not: a bad weight is scanned and reported in each run. */
static void forget_bad_weights(ag_evaluation *e) {
  ag_ranges *weights = &e->known.weights;
  for (size_t i = 0; i < weights->count && e->knows_bad_weights; i++)
    if (weights->list[i].found.bad) weights->list[i].found = ag_unscanned;
  e->knows_bad_weights = false;
}

void ag_evaluation_clear(ag_evaluation *e) {
  e->record = NULL;
  forget_bad_weights(e);
  for (size_t i = 0; i < e->origins.count; i++) {
    ag_text_free(&e->origins.list[i].report);
    ag_text_free(&e->origins.list[i].event);
  }
  e->origins.count = e->origins.nsteps = 0;
  ag_ranges_clear(&e->known.written);
  ag_ranges_clear(&e->known.inputs);
  e->reported.count = 0;
  e->residues.count = 0;
  e->collectives.count = 0;
  e->decided = 0;
  e->pattern_read = false;
  ag_released_buffers_clear(e->released);
  ag_text_clear(&e->pending);
}

static void clear_state(aotigen_run_state *s) {
  s->mode = AG_MODE_OPEN;
  s->progress = (ag_run_progress){0};
  s->weights.handed_over = false;
  s->device_index = -1;
  s->record = NULL;
  s->shared.count = 0;
  s->pending.count = 0;
  s->input_sizes.count = 0;
  s->memory.launched.count = 0;
  s->memory.unseen_write = 0;
  ag_ranges_clear(&s->covered.written);
  ag_ranges_clear(&s->covered.inputs);
  ag_text_clear(&s->texts.message);
  ag_text_clear(&s->texts.inputs_fault);
  ag_evaluation_clear(&s->evaluation);
}

aotigen_run_state *ag_run_state_take(ag_model_state *m) {
  pthread_mutex_lock(&m->lock);
  aotigen_run_state *s = m->pool;
  if (s) m->pool = s->next;
  pthread_mutex_unlock(&m->lock);
  if (!s) {
    s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->model = s->evaluation.model = m;
  }
  s->next = NULL;
  clear_state(s);
  return s;
}

aotigen_run_state *ag_run_state_take_async(ag_model_state *m) {
  pthread_mutex_lock(&m->lock);
  aotigen_run_state **at = &m->pool, *s;
  while (*at && !(*at)->async_run) at = &(*at)->next;
  s = *at;
  if (s) *at = s->next;
  pthread_mutex_unlock(&m->lock);
  return s;
}

void ag_run_state_give(aotigen_run_state *s) {
  ag_model_state *m = s->model;
  pthread_mutex_lock(&m->lock);
  s->next = m->pool;
  m->pool = s;
  pthread_mutex_unlock(&m->lock);
}

bool ag_run_state_use_own(aotigen_run_state *s, size_t nargs) {
  ag_record *r = &s->own.record;
  if (nargs && !ag_list_grow((void **)&r->args, &s->own.args_room, nargs - 1, sizeof *r->args))
    return false;
  r->nargs = nargs;
  r->nzones[AG_BEFORE] = r->nzones[AG_AFTER] = 0;
  r->ncontents = r->nkept = 0;
  r->page = NULL;
  r->batch[AG_BEFORE].count = r->batch[AG_AFTER].count = 0;
  atomic_store_explicit(&r->stage, AG_LAUNCHING, memory_order_relaxed);
  s->record = r;
  return true;
}

void *ag_run_stream(const aotigen_run *run) {
  const ag_backend *backend = run->state->model->device.backend;
  if (run->stream || !backend || run->state->model->has_streams) return run->stream;
  return backend->current_stream(run->state->model->device.index);
}

void *ag_run_launch_stream(const aotigen_run *run) {
  const ag_model_state *m = run->state->model;
  if (!m->has_streams || run->site >= run->model->nsites) return ag_run_stream(run);
  switch (run->model->sites[run->site].stream_kind & ~AOTIGEN_STREAM_PRODUCT) {
    case AOTIGEN_STREAM_PASSED: return run->passed_stream;
    case AOTIGEN_STREAM_CURRENT: return m->device.backend->current_stream(ag_run_device(run));
    default: return ag_run_stream(run);
  }
}

ag_launch ag_run_launch(const aotigen_run *run) {
  ag_launch l = {.model = run->model,
                 .run = run->number,
                 .number = run->launch,
                 .unscanned = run->unseen,
                 .site = run->site,
                 .stream = ag_run_launch_stream(run)};
  if (run->state && run->site < run->model->nsites && run->model->sites[run->site].scope)
    ag_iterations_note(&run->state->progress.iterations, &run->model->sites[run->site], &l);
  return l;
}

int32_t ag_run_known_device(const aotigen_run *run) {
  const aotigen_run_state *s = run->state;
  const ag_model_state *m = s->model;
  int32_t device = m->device.index;
  if (device >= 0) return device;
  if (s->mode == AG_MODE_ASYNC) return s->device_index;
  for (size_t i = 0; s->record && i < s->record->nargs && m->device.backend && device < 0; i++)
    device = ag_model_state_device(m, &s->record->args[i].view);
  return device < 0 ? s->device_index : device;
}

int32_t ag_run_device(const aotigen_run *run) {
  int32_t device = ag_run_known_device(run);
  return device < 0 ? 0 : device;
}
