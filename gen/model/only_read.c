/* only_read.c - see only_read.h. */
#include "model/only_read.h"
#include "model/storage.h"

/* Sets taken[] of each variable whose memory a launch may do more with than read it. */
static void note_sites(const model *m, bool *taken) {
  for (size_t i = 0; i < m->sites.n; i++)
    for (size_t k = 0; k < m->sites.at[i].args.n; k++) {
      const argument *x = &m->sites.at[i].args.at[k];
      if (x->root >= 0 && x->role != AOTIGEN_IN && !(x->flags & AOTIGEN_MAYBE_WRITTEN))
        taken[x->root] = true;
    }
}

static void note_outputs(const model *m, const fact_function *function, bool *taken) {
  named_output out = {.offset = function->body.begin};
  while (storage_next_named_output(m->storage, &out, function->body.end))
    taken[storage_root(m->storage, out.var)] = true;
}

void only_read_find(model *m, arena *a) {
  const facts *f = m->facts;
  bool *taken = arena_alloc(a, f->vars.n + 1);
  note_sites(m, taken);
  for (size_t i = 0; i < f->functions.n; i++) note_outputs(m, &f->functions.at[i], taken);
  /* Several variables may name one weight, as in constant folding: all of them have to be only
   * read. */
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < f->vars.n; i++) {
      given_use *use = model_find_given(m, &f->vars.at[i]);
      bool is_taken = taken[storage_root(m->storage, (int)i)];
      if (use && is_taken == (pass == 1)) use->only_read = !is_taken;
    }
}
