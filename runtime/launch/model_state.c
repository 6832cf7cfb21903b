/* model.c - the state of a model and its pool of run states. Knows their making; nothing of what is
 * done with them. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/filter.h"
#include "tensor/reader.h"
#include "launch/run.h"
#include "base/sink.h"

/* Guards the making of every model's state; held for microseconds, once a model. */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

bool ag_grow(void **list, size_t *room, size_t count, size_t size) {
  if (count < *room) return true;
  size_t more = *room ? *room * 2 : 16;
  while (more <= count) more *= 2;
  void *moved = realloc(*list, more * size);
  if (!moved) return false;
  *list = moved;
  *room = more;
  return true;
}

static ag_model_state *make(const aotigen_model *model) {
  size_t n = model->nsites ? model->nsites : 1;
  ag_model_state *m = calloc(1, sizeof *m);
  uint8_t *flags = calloc(3, n);
  if (!m || !flags) {
    free(m);
    free(flags);
    return NULL;
  }
  pthread_mutex_init(&m->lock, NULL);
  m->model = model;
  m->none = flags + n;
  m->said = (atomic_uchar *)(void *)(flags + 2 * n);
  m->device_index = -1;
  m->launch_work = model->printer == 1 || model->printer == 2 || model->nan_asserts ||
                   model->check_inputs & 2 || model->sync || ag_get_settings()->blocking;
  atomic_init(&m->generation, 1);
  bool anything = m->launch_work || model->printer;
  for (uint32_t i = 0; i < model->nsites; i++) {
    const aotigen_site *s = &model->sites[i];
    flags[i] = anything && ag_filter(model->kernels, s->kernel, s->aten, s->nodes) &&
               ag_filter(ag_get_settings()->kernels, s->kernel, s->aten, s->nodes);
  }
  /* Where nothing of the model is wanted its inputs are not shown either. */
  m->wanted = model->nsites && !memchr(flags, 1, model->nsites) ? m->none : flags;
  ag_backend_register(ag_backend_cuda);
  if (model->device && strcmp(model->device, "cpu"))
    m->backend = ag_backend_of(ag_device_type(model->device));
  m->defers = anything && m->backend && m->backend->async && !model->sync &&
              !ag_get_settings()->blocking;
  return m;
}

ag_model_state *ag_model_state_of(aotigen_model *model) {
  if (model->abi != AOTIGEN_ABI) return NULL;
  ag_model_state *m = __atomic_load_n((ag_model_state **)&model->state, __ATOMIC_ACQUIRE);
  if (m) return m;
  pthread_mutex_lock(&making);
  m = model->state;
  if (!m) {
    m = make(model);
    __atomic_store_n((ag_model_state **)&model->state, m, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&making);
  return m;
}

aotigen_run_state *ag_state_take(ag_model_state *m) {
  pthread_mutex_lock(&m->lock);
  aotigen_run_state *s = m->pool;
  if (s) m->pool = s->next;
  pthread_mutex_unlock(&m->lock);
  if (!s) {
    s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->model = m;
  }
  s->next = NULL;
  ag_state_clear(s);
  return s;
}

aotigen_run_state *ag_state_take_async(ag_model_state *m) {
  pthread_mutex_lock(&m->lock);
  aotigen_run_state **at = &m->pool, *s;
  while (*at && !(*at)->async_run) at = &(*at)->next;
  s = *at;
  if (s) *at = s->next;
  pthread_mutex_unlock(&m->lock);
  return s;
}

void ag_state_clear(aotigen_run_state *s) {
  s->active = s->settled = s->left_out = s->tables_settled = s->death_told = false;
  s->inputs_device = -1;
  s->record = NULL;
  s->args = NULL;
  s->nargs = s->norigins = s->nsteps = 0;
  ag_ranges_clear(&s->written);
  ag_ranges_clear(&s->inputs);
  ag_text_clear(&s->message);
  ag_text_clear(&s->pending);
  ag_text_clear(&s->inputs_fault);
}

void ag_state_give(aotigen_run_state *s) {
  ag_model_state *m = s->model;
  pthread_mutex_lock(&m->lock);
  s->next = m->pool;
  m->pool = s;
  pthread_mutex_unlock(&m->lock);
}

void aotigen_weights_changed(aotigen_model *model) {
  ag_model_state *m = ag_model_state_of(model);
  if (m) atomic_fetch_add(&m->generation, 1);
}
