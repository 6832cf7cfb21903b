/* model_state.c - the state of a model: made once, from its tables and the settings. */
#define _GNU_SOURCE
#include "state/model_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/filter.h"
#include "base/fork_lock.h"
#include "state/container_calls.h"
#include "state/launch.h"
#include "tensor/reader.h"
#include "base/settings.h"
#include "base/sink.h"

/* Guards the making of every model's state; held for microseconds, once a model. */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

AG_FORK_LOCK(making)

bool ag_list_grow(void **list, size_t *room, size_t count, size_t size) {
  if (count < *room) return true;
  size_t more = *room ? *room * 2 : 16;
  while (more <= count) more *= 2;
  void *moved = realloc(*list, more * size);
  if (!moved) return false;
  *list = moved;
  *room = more;
  return true;
}

void ag_model_name_guards(const aotigen_model *model, char to[AG_GUARDS]) {
  static const struct {
    unsigned bit;
    const char *name;
  } guards[] = {{AOTIGEN_GUARD_CANARY, "canary"},
                {AOTIGEN_GUARD_PAGE, "page"},
                {AOTIGEN_GUARD_PAGE_BEFORE, "page-before"},
                {AOTIGEN_GUARD_POISON, "poison"},
                {AOTIGEN_GUARD_OPS, "ops"},
                {AOTIGEN_GUARD_INPUTS, "inputs"},
                {AOTIGEN_GUARD_WEIGHTS, "weights"}};
  to[0] = '\0';
  for (size_t i = 0; i < sizeof guards / sizeof *guards; i++) {
    if (!(model->guard & guards[i].bit)) continue;
    if (*to) strcat(to, ",");
    strcat(to, guards[i].name);
    if (guards[i].bit & (AOTIGEN_GUARD_PAGE | AOTIGEN_GUARD_PAGE_BEFORE) && *model->guard_buffers)
      strcat(to, ":NAMES");
  }
}

/* The environment overrides what was given when building. */
static void read_requests(ag_model_state *m) {
  const char *given = ag_settings_get()->explain, *built = m->model->explain;
  m->explain.built = !given;
  if (!given) given = built ? built : "";
  if (!ag_element_list_read(&m->explain.list, given)) {
    ag_text t = {0};
    ag_text_addf(&t, "aotigen: ignoring --explain='%s': expected " AG_ELEMENTS_WANTED "\n", given);
    ag_sink_write_stderr(ag_text_string(&t));
    ag_text_free(&t);
  }
  m->explain.flags = calloc((size_t)m->explain.list.n + 1, sizeof *m->explain.flags);
  if (!m->explain.flags) ag_element_list_free(&m->explain.list);
}

static bool writes_given(const aotigen_model *m) {
  for (uint32_t i = 0; i < m->nsites; i++)
    for (uint32_t k = 0; k < m->sites[i].nparams; k++)
      if (ag_param_is_given(&m->sites[i].params[k]) &&
          ag_param_is_overwritten(&m->sites[i].params[k]))
        return true;
  return false;
}

static bool may_write_weights(const aotigen_model *m) {
  for (uint32_t i = 0; i < m->nsites; i++)
    for (uint32_t k = 0; k < m->sites[i].nparams; k++) {
      const aotigen_param *p = &m->sites[i].params[k];
      if (p->kind == AOTIGEN_WEIGHT &&
          (p->role != AOTIGEN_IN || p->flags & (AOTIGEN_LATE | AOTIGEN_MAYBE_WRITTEN)))
        return true;
    }
  return false;
}

/* True if a level reads the arguments of launches. */
static bool reads_arguments(const aotigen_model *model) {
#define LEVEL_NUMBER(field, MACRO, option, letter, name, kind, words, fallback, variable, one,     \
                     arguments, ...)                                                               \
  {                                                                                                \
    const unsigned value = model->field;                                                           \
    if (arguments) return true;                                                                    \
  }
#include "shared/wrapper/aotigen_levels.def"
  return false;
}

/* The wrapper of a model that `aotigen run` made and keeps has another: of what, and when. */
extern const char aotigen_kept_of[];
__attribute__((weak)) const char aotigen_kept_of[] = "";

/* A server may have kept a copy of what a run handed to it. */
static void say_kept(void) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  ag_text t = {0};
  if (!*aotigen_kept_of || ag_settings_get()->run_by || atomic_flag_test_and_set(&said)) return;
  ag_text_addf(&t,
               "aotigen: this is a debug model, which 'aotigen run' made of %s: load the package "
               "itself to run it without checks; AOTIGEN_RUN_BY=0 silences this line\n",
               aotigen_kept_of);
  ag_sink_write_stderr(ag_text_string(&t));
  ag_text_free(&t);
}

/* A wait belongs to the collectives that it completes: where one of these is selected, so is it. */
static void select_waits(const aotigen_model *model, uint8_t *flags) {
  bool any = false;
  for (uint32_t i = 0; i < model->nsites && !any; i++)
    any = flags[i] && ag_site_is_collective(&model->sites[i]);
  for (uint32_t i = 0; i < model->nsites && any; i++)
    if (ag_site_waits(&model->sites[i])) flags[i] = 1;
}

static ag_model_state *create_state(const aotigen_model *model) {
  size_t n = model->nsites ? model->nsites : 1;
  ag_model_state *m = calloc(1, sizeof *m);
  uint8_t *flags = calloc(1, 3 * n + model->ninputs + model->npromises);
  if (!m || !flags || !(m->ops.facts = calloc(n, sizeof *m->ops.facts))) {
    free(m);
    free(flags);
    return NULL;
  }
  pthread_mutex_init(&m->lock, NULL);
  ag_fork_lock_add(&m->over_fork, &m->lock);
  m->model = model;
  m->none = flags + n;
  m->said.arguments = (atomic_uchar *)(void *)(flags + 2 * n);
  m->said.small_inputs = m->said.arguments + n;
  m->said.promises = m->said.small_inputs + model->ninputs;
  m->device.index = -1;
  read_requests(m);
  m->launch_work = reads_arguments(model) || m->explain.list.n || ag_settings_get()->blocking ||
                   ag_settings_get()->record || ag_settings_get()->take_launch;
  atomic_init(&m->generation, AG_LOADED_GENERATION);
  m->writes_given = writes_given(model);
  m->may_write_weights = may_write_weights(model);
  bool anything = m->anything = m->launch_work || model->printer || ag_settings_get()->time;
  for (uint32_t i = 0; i < model->nsites; i++) {
    const aotigen_site *s = &model->sites[i];
    flags[i] = anything && ag_filter_selects(model->kernels, s) &&
               ag_filter_selects(ag_settings_get()->kernels, s);
  }
  select_waits(model, flags);
  /* If nothing of the model is wanted, its inputs are not shown either. */
  m->wanted = model->nsites && !memchr(flags, 1, model->nsites) ? m->none : flags;
  for (uint32_t i = 0; i < model->nsites; i++)
    if (!flags[i] && model->sites[i].heads) flags[i] = AG_ONLY_COUNTED;
  for (uint32_t i = 0; i < model->nsites; i++)
    m->has_streams = m->has_streams || model->sites[i].stream;
  ag_backend_register(ag_backend_cuda);
  if (model->device && strcmp(model->device, "cpu"))
    m->device.backend = ag_backend_of_device_type(ag_device_type_of_name(model->device));
  m->has_streams = m->has_streams && m->device.backend;
  m->waits = model->sync || ag_settings_get()->blocking || (m->has_streams && model->guard);
  m->device.async = anything && m->device.backend && m->device.backend->async && !m->waits;
  return m;
}

ag_model_state *ag_model_state_of(aotigen_model *model) {
  if (model->abi != AOTIGEN_ABI) return NULL;
  ag_model_state *m = __atomic_load_n((ag_model_state **)&model->state, __ATOMIC_ACQUIRE);
  if (m) return m;
  pthread_mutex_lock(&making);
  m = model->state;
  if (!m) {
    m = create_state(model);
    __atomic_store_n((ag_model_state **)&model->state, m, __ATOMIC_RELEASE);
    say_kept();
  }
  pthread_mutex_unlock(&making);
  return m;
}

int32_t ag_model_state_device(const ag_model_state *m, const ag_view *view) {
  return view->state == AG_VIEW_OK && view->t.device_type == m->device.backend->device_type &&
                 view->t.device_index >= 0
             ? view->t.device_index
             : -1;
}

bool ag_model_state_is_capturing(const ag_model_state *m, void *stream) {
  return m->device.backend && m->device.backend->capturing(stream);
}

const char *ag_model_state_refuse(const aotigen_model *model) {
  static char message[160]; /* every caller writes the same text */
  static atomic_flag said = ATOMIC_FLAG_INIT;
  snprintf(
      message, sizeof message,
      "aotigen: the wrapper was made for ABI %u of libaotigen.a and linked with ABI %d: make it "
      "again with this aotigen\n",
      model->abi, AOTIGEN_ABI);
  if (!atomic_flag_test_and_set(&said)) ag_sink_write_stderr(message);
  return message;
}

bool ag_model_state_keeps_weights(const ag_model_state *m) {
  const ag_settings *s = ag_settings_get();
  const bool sees_all = !*m->model->kernels && !*s->kernels && !s->launches.count &&
                        !s->runs.count && s->every <= 1;
  return sees_all && !m->may_write_weights && !atomic_load(&m->weights_written) &&
         !ag_container_calls_gave_weights();
}

void aotigen_weights_changed(aotigen_model *model) {
  ag_model_state *m = ag_model_state_of(model);
  if (m) atomic_fetch_add(&m->generation, 1);
}
