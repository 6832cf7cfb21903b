/* saved_weights.c - see saved_weights.h. */
#include "output/saved_weights.h"

#include <stdlib.h>
#include <string.h>

#include "output/earlier_file.h"

/* A weight has one of a few places by its key; where they are taken, it is read each time. */
enum { PLACES = 4096, TRIED = 8 };

struct ag_saved_weights {
  uintptr_t begin, end; /* of all of them */
  struct saved_weight {
    ag_text key;
    ag_saved_file *file;
    uintptr_t begin, end;
  } places[PLACES];
};

/* A view of a weight is not named as one. */
static bool is_in_weight(const ag_view *view, const ag_ranges *weights) {
  for (size_t i = 0; i < weights->count; i++) {
    const ag_range *x = &weights->list[i];
    if (x->begin <= view->begin && view->end <= x->end && x->device_type == view->t.device_type &&
        x->device_index == view->t.device_index)
      return true;
  }
  return false;
}

bool ag_saved_weights_take(const ag_model_state *m, const ag_arg *a, const ag_ranges *weights) {
  if (ag_arg_may_be_written(a) || !a->view.t.numel || m->writes_given ||
      atomic_load(&m->generation) != AG_LOADED_GENERATION || !ag_model_state_keeps_weights(m))
    return false;
  return a->param->kind == AOTIGEN_WEIGHT || is_in_weight(&a->view, weights);
}

/* The place of the key, or a free one, or NULL. */
static struct saved_weight *find_place(struct ag_saved_weights *w, const ag_text *key) {
  const uint64_t first = ag_earlier_file_hash(key);
  for (uint64_t i = first; key->data && i < first + TRIED; i++) {
    struct saved_weight *x = &w->places[i % PLACES];
    if (!x->file || (x->key.length == key->length && !memcmp(x->key.data, key->data, key->length)))
      return x;
  }
  return NULL;
}

/* The caller frees the key. */
static struct saved_weight *find(ag_model_state *m, const ag_view *view, ag_text *key) {
  ag_earlier_file_key(key, view, false);
  if (!m->saved_weights) m->saved_weights = calloc(1, sizeof *m->saved_weights);
  return m->saved_weights ? find_place(m->saved_weights, key) : NULL;
}

void ag_saved_weights_write(ag_model_state *m, const ag_view *view) {
  pthread_mutex_lock(&m->lock);
  const struct ag_saved_weights *w = m->saved_weights;
  const bool near = w && view->begin < w->end && w->begin < view->end;
  for (int i = 0; near && i < PLACES; i++)
    if (view->begin < w->places[i].end && w->places[i].begin < view->end)
      atomic_store(&m->weights_written, true);
  pthread_mutex_unlock(&m->lock);
}

ag_saved_file *ag_saved_weights_find(ag_model_state *m, uint64_t run, const ag_view *view) {
  ag_text key = {0};
  ag_saved_file *found = NULL;
  if (!(run & (run - 1))) return NULL;
  pthread_mutex_lock(&m->lock);
  const struct saved_weight *x = find(m, view, &key);
  if (x && x->file) found = ag_saved_file_share(x->file);
  pthread_mutex_unlock(&m->lock);
  ag_text_free(&key);
  if (!found || ag_saved_file_may_be_linked(found)) return found;
  ag_saved_file_release(found);
  return NULL;
}

void ag_saved_weights_keep(ag_model_state *m, const ag_view *view, ag_saved_file *file) {
  ag_text key = {0};
  ag_saved_file *old = NULL;
  pthread_mutex_lock(&m->lock);
  struct saved_weight *x = find(m, view, &key);
  if (x && (old = x->file)) {
    x->file = ag_saved_file_share(file);
  } else if (x) {
    struct ag_saved_weights *w = m->saved_weights;
    *x = (struct saved_weight){key, ag_saved_file_share(file), view->begin, view->end};
    key = (ag_text){0};
    if (!w->end || view->begin < w->begin) w->begin = view->begin;
    if (view->end > w->end) w->end = view->end;
  }
  pthread_mutex_unlock(&m->lock);
  ag_text_free(&key);
  ag_saved_file_release(old);
}
