/* given.c - see given.h. */
#define _GNU_SOURCE
#include "memory/given.h"

#include <stdlib.h>
#include <string.h>

#include "checks/op_registered.h"
#include "tensor/shim.h"

static uint32_t count_given(const aotigen_model *m) { return m->ninputs + m->nweights; }

static aotigen_buffer describe(const aotigen_model *m, uint32_t given) {
  const aotigen_input *in = given < m->ninputs ? &m->inputs[given] : NULL;
  const aotigen_weight *w = in ? NULL : &m->weights[given - m->ninputs];
  const char *name = in ? in->name : w->name, *python = in ? in->python_name : w->fqn;
  return (aotigen_buffer){
      .name = name,
      .given = python ? python : name,
      .vectors = in ? (in->flags & AOTIGEN_WHOLE_VECTORS) != 0 : w->vectors,
  };
}

const aotigen_buffer *ag_given_row(const aotigen_run *run, uint32_t given) {
  ag_model_state *m = run->state->model;
  const uint32_t n = count_given(run->model);
  if (given >= n) return NULL;
  pthread_mutex_lock(&m->lock);
  if (!m->memory.given && (m->memory.given = calloc(n, sizeof *m->memory.given)))
    for (uint32_t i = 0; i < n; i++) m->memory.given[i] = describe(run->model, i);
  const aotigen_buffer *row = m->memory.given ? &m->memory.given[given] : NULL;
  pthread_mutex_unlock(&m->lock);
  return row;
}

/* True if an operator may write to a tensor of this name and its schema does not exclude that. */
static bool may_be_written(const aotigen_run *run, const char *name) {
  const aotigen_model *m = run->model;
  for (uint32_t i = 0; i < m->nsites; i++)
    for (uint16_t k = 0; k < m->sites[i].nparams; k++) {
      const aotigen_param *p = &m->sites[i].params[k];
      if (p->flags & AOTIGEN_MAYBE_WRITTEN && !strcmp(p->name, name) &&
          !ag_op_only_reads(ag_op_registered_find(run->state->model, i), k))
        return true;
    }
  return false;
}

bool ag_given_is_only_read(const aotigen_run *run, uint32_t given) {
  const aotigen_model *m = run->model;
  bool only_read = given < m->ninputs ? m->inputs[given].flags & AOTIGEN_ONLY_READ
                                      : m->weights[given - m->ninputs].only_read;
  return only_read && !may_be_written(run, ag_given_row(run, given)->name);
}

int aotigen_copy_given(aotigen_run *run, uint32_t given, const void *copy, const void *tensor) {
  aotigen_run_state *s = run->state;
  ag_view v;
  if (!AOTIGEN_SHIM(copy_) || AOTIGEN_SHIM(copy_)((AtenTensorHandle)(uintptr_t)copy,
                                                  (AtenTensorHandle)(uintptr_t)tensor, 0))
    return 0;
  ag_view_of_handle(&v, copy);
  if (given < run->model->ninputs && v.state == AG_VIEW_OK && ag_wants_given(run->model))
    ag_ranges_write(&s->covered.inputs, &v, 0, given, v.dense, &ag_unscanned);
  return 1;
}
