/* handed_on.c - see handed_on.h. */
#include "output/handed_on.h"

#include <stdlib.h>
#include <string.h>

#include "output/earlier_file.h"
#include "state/model_state.h"

enum { FILES_MOST = 32 }; /* others are read once more */

struct ag_handed_on {
  uint64_t run, launch;
  const void *stream;
  int count;
  struct {
    ag_text key;
    ag_saved_file *file;
  } files[FILES_MOST];
};

bool ag_handed_on_takes(const ag_launch *l) {
  const aotigen_site *s = ag_launch_site(l);
  const ag_model_state *m = l->model->state;
  return !m->has_streams && !ag_site_is_dispatched(s) && !ag_site_is_of_library(s) &&
         !ag_site_is_collective(s) && !ag_site_waits(s);
}

void ag_handed_on_begin(ag_handed_on **h, const ag_launch *l) {
  if (!*h) *h = calloc(1, sizeof **h);
  ag_handed_on *x = *h;
  if (!x) return;
  for (int i = 0; i < x->count; i++) {
    ag_text_free(&x->files[i].key);
    ag_saved_file_release(x->files[i].file);
  }
  x->count = 0;
  x->run = l->run;
  x->launch = l->number;
  x->stream = l->stream;
}

void ag_handed_on_add(ag_handed_on *h, const ag_view *view, ag_saved_file *file) {
  if (!h || h->count == FILES_MOST) return;
  h->files[h->count].key = (ag_text){0};
  ag_earlier_file_key(&h->files[h->count].key, view, false);
  h->files[h->count++].file = ag_saved_file_share(file);
}

static ag_saved_file *find_file(ag_handed_on *h, const ag_text *key) {
  for (int i = 0; i < h->count && key->data; i++)
    if (h->files[i].key.length == key->length &&
        !memcmp(h->files[i].key.data, key->data, key->length))
      return ag_saved_file_may_be_linked(h->files[i].file) ? h->files[i].file : NULL;
  return NULL;
}

ag_saved_file *ag_handed_on_find(ag_handed_on *h, const ag_launch *l, const ag_arg *a) {
  ag_text key = {0};
  if (!h || h->run != l->run || h->launch + 1 != l->number || h->stream != l->stream ||
      ag_arg_may_be_written(a) || !a->view.t.numel)
    return NULL;
  ag_earlier_file_key(&key, &a->view, false);
  ag_saved_file *found = find_file(h, &key);
  ag_text_free(&key);
  return found ? ag_saved_file_share(found) : NULL;
}
