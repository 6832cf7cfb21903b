/* folding.c - faults of constant folding, which the runs throw: see aotigen.h. */
#include <stdlib.h>
#include <string.h>

#include "checks/finding.h"
#include "state/run_state.h"

/* The last fault with these weights. */
typedef struct ag_folding_fault {
  struct ag_folding_fault *next;
  const void *weights;
  char *message;
} ag_folding_fault;

/* The link to the fault, or the one that ends the list. */
static ag_folding_fault **find(ag_model_state *m, const void *weights) {
  ag_folding_fault **at = &m->folding_faults;
  while (*at && (*at)->weights != weights) at = &(*at)->next;
  return at;
}

static void forget(ag_model_state *m, const void *weights) {
  ag_folding_fault **at = find(m, weights), *f = *at;
  if (!f) return;
  *at = f->next;
  free(f->message);
  free(f);
}

static bool keep(ag_model_state *m, const void *weights, const char *message) {
  ag_folding_fault *f = malloc(sizeof *f);
  char *text = strdup(message);
  if (!f || !text) {
    free(f);
    free(text);
    return false;
  }
  forget(m, weights);
  *f = (ag_folding_fault){.next = m->folding_faults, .weights = weights, .message = text};
  m->folding_faults = f;
  return true;
}

void aotigen_folding_begin(aotigen_model *model, const void *weights) {
  ag_model_state *m = ag_model_state_of(model);
  if (!m) return;
  pthread_mutex_lock(&m->lock);
  forget(m, weights);
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

const char *aotigen_folding_fault(aotigen_run *run, const void *weights) {
  aotigen_run_state *s = run->state;
  if (!s) return NULL;
  ag_text *message = &s->texts.message;
  pthread_mutex_lock(&s->model->lock);
  const ag_folding_fault *f = *find(s->model, weights);
  const bool failed = f != NULL;
  ag_text_clear(message);
  if (failed) ag_text_add(message, f->message);
  pthread_mutex_unlock(&s->model->lock);
  return failed ? ag_text_string(message) : NULL;
}
