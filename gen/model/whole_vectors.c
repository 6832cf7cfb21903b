/* whole_vectors.c - see whole_vectors.h. */
#include "model/whole_vectors.h"
#include "model/storage.h"

/* Sets loaded[] of each variable whose memory a launch loads whole vectors of. */
static void note_loads(const model *m, bool *loaded) {
  for (size_t i = 0; i < m->sites.n; i++)
    for (size_t k = 0; k < m->sites.at[i].args.n; k++) {
      const argument *x = &m->sites.at[i].args.at[k];
      if (x->root >= 0 && x->text && x->text->vectors) loaded[x->root] = true;
    }
}

void whole_vectors_find(model *m, arena *a) {
  const facts *f = m->facts;
  bool *loaded = arena_alloc(a, f->vars.n + 1);
  note_loads(m, loaded);
  for (size_t i = 0; i < m->buffers.n; i++) {
    model_buffer *b = &m->buffers.at[i];
    b->vectors = loaded[storage_root(m->storage, b->var)];
  }
  for (size_t i = 0; i < f->vars.n; i++) {
    given_use *use = model_find_given(m, &f->vars.at[i]);
    if (use && loaded[storage_root(m->storage, (int)i)]) use->vectors = true;
  }
}
