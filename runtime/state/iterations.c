/* iterations.c - see iterations.h. */
#include "state/iterations.h"

static bool is_within(const aotigen_scope *s, const aotigen_scope *outer) {
  for (s = s->outer; s; s = s->outer)
    if (s == outer) return true;
  return false;
}

void ag_iterations_count(ag_iterations *it, const aotigen_model *m, const aotigen_site *site) {
  const aotigen_scope *loop = site->scope;
  if (!loop || !ag_loop_is_counted(loop)) return;
  it->of[loop->loop - 1]++;
  for (uint32_t i = 0; i < m->nsites; i++) {
    const aotigen_site *s = &m->sites[i];
    if (s->heads && s->scope && s->scope != loop && ag_loop_is_counted(s->scope) &&
        is_within(s->scope, loop))
      it->of[s->scope->loop - 1] = 0;
  }
}

void ag_iterations_note(const ag_iterations *it, const aotigen_site *site, ag_launch *l) {
  int n = 0;
  for (const aotigen_scope *s = site->scope; s && n < AG_LOOPS_NAMED; s = s->outer)
    if (ag_loop_is_counted(s)) l->iteration[n++] = it->of[s->loop - 1];
}
