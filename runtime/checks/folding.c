/* folding.c - faults of constant folding, which the runs throw: see aotigen.h. */
#include <stdlib.h>
#include <string.h>

#include "checks/finding.h"
#include "state/run_state.h"

/* A fault that was kept; its message is NULL where it was forgotten. */
typedef struct ag_unfolded {
  struct ag_unfolded *next;
  const void *weights;
  char *message;
} ag_unfolded;

static ag_unfolded *find(const ag_model_state *m, const void *weights) {
  ag_unfolded *u = m->unfolded;
  while (u && u->weights != weights) u = u->next;
  return u;
}

static bool keep(ag_model_state *m, const void *weights, const char *message) {
  ag_unfolded *u = find(m, weights), *fresh = NULL;
  if (!u) u = fresh = calloc(1, sizeof *u);
  char *text = strdup(message);
  if (!u || !text) {
    free(fresh);
    free(text);
    return false;
  }
  free(u->message);
  u->message = text;
  u->weights = weights;
  if (fresh) {
    u->next = m->unfolded;
    m->unfolded = u;
  }
  return true;
}

void aotigen_folding(aotigen_model *model, const void *weights) {
  ag_model_state *m = ag_model_state_of(model);
  if (!m) return;
  pthread_mutex_lock(&m->lock);
  ag_unfolded *u = find(m, weights);
  if (u) {
    free(u->message);
    u->message = NULL;
  }
  pthread_mutex_unlock(&m->lock);
}

int aotigen_folding_failed(aotigen_model *model, const void *weights, const char *what) {
  ag_model_state *m = ag_model_state_of(model);
  if (!m || !ag_report_is_ours(what)) return 0;
  pthread_mutex_lock(&m->lock);
  bool kept = keep(m, weights, what);
  pthread_mutex_unlock(&m->lock);
  return kept;
}

const char *aotigen_folded(aotigen_run *run, const void *weights) {
  aotigen_run_state *s = run->state;
  if (!s) return NULL;
  pthread_mutex_lock(&s->model->lock);
  const ag_unfolded *u = find(s->model, weights);
  const bool failed = u && u->message;
  ag_text_clear(&s->texts.message);
  if (failed) ag_text_add(&s->texts.message, u->message);
  pthread_mutex_unlock(&s->model->lock);
  return failed ? ag_text_string(&s->texts.message) : NULL;
}
