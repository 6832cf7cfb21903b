/* given_uses.c - see parts.h. */
#include "model/parts.h"

/* By variable that owns memory. */
typedef struct memory_uses {
  bool *changed; /* a launch may do more with it than read it, or it is an output */
  bool *loaded;  /* a launch loads whole vectors of it */
} memory_uses;

static void note_sites(const memory_uses *u, const model *m) {
  for (size_t i = 0; i < m->sites.n; i++)
    for (size_t k = 0; k < m->sites.at[i].args.n; k++) {
      const argument *x = &m->sites.at[i].args.at[k];
      if (x->root < 0) continue;
      if (x->role != AOTIGEN_IN && !(x->flags & AOTIGEN_MAYBE_WRITTEN)) u->changed[x->root] = true;
      if (x->text && x->text->vectors) u->loaded[x->root] = true;
    }
}

static void note_outputs(const memory_uses *u, const model *m, const fact_function *function) {
  named_output out = {.offset = function->body.begin};
  while (storage_next_named_output(m->storage, &out, function->body.end))
    u->changed[storage_root(m->storage, out.var)] = true;
}

void given_uses_find(model *m, arena *a) {
  const facts *f = m->facts;
  memory_uses u = {arena_alloc(a, f->vars.n + 1), arena_alloc(a, f->vars.n + 1)};
  note_sites(&u, m);
  for (size_t i = 0; i < f->functions.n; i++) note_outputs(&u, m, &f->functions.at[i]);
  for (size_t i = 0; i < m->buffers.n; i++)
    m->buffers.at[i].vectors = u.loaded[storage_root(m->storage, m->buffers.at[i].var)];
  /* Several variables may name one weight, as in constant folding: all of them have to be only
   * read. */
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < f->vars.n; i++) {
      given_use *use = model_find_given(m, &f->vars.at[i]);
      int root = storage_root(m->storage, (int)i);
      if (use && u.changed[root] == (pass == 1)) use->only_read = !u.changed[root];
      if (use && u.loaded[root]) use->vectors = true;
    }
}
