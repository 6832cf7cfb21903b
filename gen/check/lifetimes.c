/* lifetimes.c - a tensor that is passed to a call after the wrapper gave it up: see checker.h. */
#include "check/checker.h"

/* The offset before `to` at which the variable is given up; `to` if it is not. *certain: whichever
 * branches are taken. */
static size_t find_end(const checker *k, int var, size_t to, bool *certain) {
  const fact_var *v = &k->m->facts->vars.at[var];
  const changes *list = string_map_get(k->changes, v->name);
  int here = blocks_find(k->blocks, to);
  size_t end = to;
  *certain = false;
  for (size_t i = 0; list && i < list->n && list->at[i].offset < to; i++) {
    const change *e = &list->at[i];
    bool apart = blocks_exclude(k->blocks, blocks_find(k->blocks, e->offset), here);
    if (e->offset < v->declared || e->kind == CHANGE_OTHER || apart) continue;
    if (changes_find_variable(k->blocks, k->m->storage, v->name, e->offset) != var) continue;
    if (e->kind == CHANGE_ASSIGNS) {
      end = to;
      *certain = false;
    } else if (!*certain) {
      end = e->offset;
      *certain = blocks_is_certain(k->blocks, e->offset, to);
    }
  }
  return end;
}

/* The offset at which an iteration of a loop around the call gives the variable up behind the call,
 * so that the next iteration has none; SIZE_MAX if no loop does. */
static size_t find_end_of_iteration(const checker *k, int var, size_t to) {
  const fact_var *v = &k->m->facts->vars.at[var];
  const changes *list = string_map_get(k->changes, v->name);
  const block *around = k->blocks->list.at;
  for (int i = blocks_find(k->blocks, to); list && i >= 0; i = around[i].outer) {
    if (around[i].kind != BLOCK_LOOP || around[i].begin < v->declared) continue;
    size_t end = SIZE_MAX;
    bool made = false;
    for (size_t j = 0; j < list->n; j++) {
      const change *e = &list->at[j];
      if (e->offset <= around[i].begin || e->offset >= around[i].end ||
          changes_find_variable(k->blocks, k->m->storage, v->name, e->offset) != var)
        continue;
      bool straight = blocks_find_branching(k->blocks, e->offset) == i;
      if (e->kind == CHANGE_GIVES_UP && e->offset > to && straight) end = e->offset;
      if (e->kind != CHANGE_GIVES_UP && (e->offset < to || e->offset > end)) made = true;
    }
    if (end < SIZE_MAX && !made) return end;
  }
  return SIZE_MAX;
}

static void report_next(checker *k, size_t end, const argument *arg, const fact_var *var) {
  unsigned line, column;
  facts_position(k->m->facts, end, &line, &column);
  finding *f = checker_add(k, NULL, FINDING_LIFETIME, VERDICT_UNDECIDED);
  f->argument = arg->name;
  f->why = arena_printf(k->a,
                        "line %u of the wrapper gives %s up in a loop, and the next iteration "
                        "passes it to this call",
                        line, var->name);
  f->would = "whether the loop has a second iteration";
}

void lifetimes_check(checker *k, const site *s) {
  const facts *f = k->m->facts;
  for (size_t i = 0; i < s->args.n; i++) {
    const operand *o = s->args.at[i].operand;
    const fact_var *v = o && o->var >= 0 ? &f->vars.at[o->var] : NULL;
    size_t to = s->call->statement.begin;
    if (!v || v->holds != HOLDS_OBJECT || v->declared >= to) continue;
    bool certain;
    size_t end = find_end(k, o->var, to, &certain);
    if (end >= to) {
      int root = s->args.at[i].root, owner = root < 0 ? o->var : root;
      size_t last = find_end_of_iteration(k, owner, to);
      if (last < SIZE_MAX) report_next(k, last, &s->args.at[i], &f->vars.at[owner]);
      continue;
    }
    unsigned line, column;
    facts_position(f, end, &line, &column);
    finding *x =
        checker_add(k, NULL, FINDING_LIFETIME, certain ? VERDICT_REFUTED : VERDICT_UNDECIDED);
    x->argument = s->args.at[i].name;
    x->why = arena_printf(k->a, "line %u of the wrapper gives %s up%s, and this call is passed it",
                          line, v->name, certain ? "" : " in a branch or a loop");
    if (!certain) x->would = arena_printf(k->a, "whether line %u is executed before", line);
  }
}
