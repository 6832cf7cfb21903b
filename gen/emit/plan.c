/* plan.c - see plan.h. */
#include "emit/plan.h"
#include "parse/lex.h"
#include <stdlib.h>
#include <string.h>

typedef struct planner {
  plan *p;
  const model *m;
  const facts *f;
  arena *a;
} planner;

static insertion *insert(planner *k, enum place place, size_t at, const char *template_name) {
  insertion *x = arena_push(k->a, &k->p->insertions);
  *x = (insertion){.place = place, .at = at, .template_name = template_name, .site = -1};
  return x;
}

static void set(planner *k, insertion *x, const char *name, const char *value) {
  *arena_push(k->a, &x->slots) = (slot){name, value};
}

/* ---- launches ------------------------------------------------------------------------------- */

static const char *filled(planner *k, const char *template_name, const slot *slots, size_t n) {
  return template_fill(template_name, slots, n, k->a);
}

static const char *value_of(planner *k, const argument *x) {
  if (!x->value) return filled(k, "nothing", NULL, 0);
  if (x->view[1].end == 0) return x->value;
  const slot slots[] = {{"base", x->value},
                        {"ndim", facts_copied(k->f, x->view[1], k->a)},
                        {"sizes", facts_copied(k->f, x->view[2], k->a)},
                        {"strides", facts_copied(k->f, x->view[3], k->a)},
                        {"offset", facts_copied(k->f, x->view[4], k->a)}};
  return filled(k, "view", slots, sizeof slots / sizeof *slots);
}

static void around(planner *k, int index) {
  const site *s = &k->m->sites.at[index];
  strings before = {0}, late = {0};
  for (size_t i = 0; i < s->args.n; i++) {
    *arena_push(k->a, &before) = value_of(k, &s->args.at[i]);
    if (s->args.at[i].flags & ARG_LATE)
      *arena_push(k->a, &late) = s->args.at[i].late ? s->args.at[i].late
                                                    : filled(k, "nothing", NULL, 0);
  }
  const char *number = arena_printf(k->a, "%d", index);
  insertion *x = insert(k, PLACE_BEFORE, s->call->statement.begin, "before");
  set(k, x, "site", number);
  set(k, x, "values",
      before.n ? strings_join(k->a, &before, ", ") : filled(k, "no_values", NULL, 0));
  x->opens = s->call->braces;
  x->site = index;
  x = insert(k, PLACE_AFTER, s->call->statement.end, late.n ? "after_made" : "after");
  set(k, x, "site", number);
  if (late.n) set(k, x, "values", strings_join(k->a, &late, ", "));
  x->closes = s->call->braces;
  x->site = index;
}

static void sites(planner *k) {
  for (size_t i = 0; i < k->m->sites.n; i++) {
    if (k->m->sites.at[i].skipped) {
      k->p->left_alone++;
      continue;
    }
    k->p->counts[k->m->sites.at[i].form]++;
    around(k, (int)i);
  }
  for (size_t i = 0; i < k->m->launches.n; i++) {
    const launch *l = &k->m->launches.at[i];
    insertion *x = insert(k, PLACE_BEFORE, l->statement, "grid");
    set(k, x, "kernel", l->kernel);
    set(k, x, "x", l->grid[0]);
    set(k, x, "y", l->grid[1]);
    set(k, x, "z", l->grid[2]);
  }
}

/* ---- run functions -------------------------------------------------------------------------- */

static const fact_param *parameter(const fact_function *f, const char *name) {
  for (size_t i = 0; i < f->params.n; i++)
    if (strcmp(f->params.at[i].name, name) == 0) return &f->params.at[i];
  return NULL;
}

/* Past the statement that begins at `p`, which may hold blocks. */
static size_t past_statement(const planner *k, size_t p, size_t end) {
  const char *text = k->f->text;
  while (p < end && text[p] != ';') {
    if (!strchr("([{", text[p])) {
      p = lex_skip_token(text, p, end);
      continue;
    }
    bool block = text[p] == '{';
    p = lex_match(text, p, end);
    if (p < end) p++;
    size_t next = lex_skip_space(text, p, end);
    if (block && next < end && !strchr(",;).[({", text[next]) &&
        !lex_is_word(text, next, end, "else"))
      return p;
  }
  return p < end ? p + 1 : end;
}

/* The statement of `f`'s own block that holds `at`. */
static span top_statement(const planner *k, const fact_function *f, size_t at) {
  span s = {0, f->body.begin + 1};
  size_t end = f->body.end - 1; /* never behind the last brace, whatever directives hide */
  while (s.end <= at && s.end < end) {
    s.begin = lex_skip_space(k->f->text, s.end, end);
    s.end = past_statement(k, s.begin, end);
  }
  return s;
}

static bool first_word(const planner *k, const fact_function *f, const char *word, size_t *at) {
  *at = lex_find_word(k->f->text, f->body.begin, f->body.end, word);
  return *at < f->body.end;
}

static void inputs(planner *k, const fact_function *f) {
  const fact_param *p = parameter(f, "input_handles");
  size_t at;
  if (!p || p->holds != HOLDS_HANDLES || f->is != FUNCTION_RUN) return;
  set(k, insert(k, PLACE_AFTER, f->body.begin + 1, "check_inputs"), "handles", p->name);
  if (first_word(k, f, "steal_from_raw_handles_to_raii_handles", &at) ||
      first_word(k, f, "convert_handles_to_inputs", &at))
    insert(k, PLACE_AFTER, top_statement(k, f, at).end, "inputs_owned");
}

/* After the last of the lines that bind the weights. */
static void weights(planner *k, int function) {
  const fact_function *f = &k->f->functions.at[function];
  size_t last = 0;
  strings values = {0};
  for (size_t i = 0; i < k->m->weights.n; i++)
    *arena_push(k->a, &values) = filled(k, "nothing", NULL, 0);
  for (size_t i = 0; i < k->f->vars.n; i++) {
    const fact_var *v = &k->f->vars.at[i];
    if (v->function != function || v->made != MADE_WEIGHT || v->from < 0 ||
        v->from >= (int)values.n)
      continue;
    values.at[v->from] = v->name;
    last = v->init.end;
  }
  if (last)
    set(k, insert(k, PLACE_AFTER, top_statement(k, f, last).end, "check_weights"), "values",
        strings_join(k->a, &values, ", "));
}

/* Before the first output is handed over; where no such line is seen, behind the last launch. */
static void outputs(planner *k, int function, size_t last_site) {
  const fact_function *f = &k->f->functions.at[function];
  if (parameter(f, "output_handles"))
    for (size_t at = f->body.begin;
         (at = lex_find_word(k->f->text, at, f->body.end, "output_handles")) < f->body.end; at++) {
      if (k->f->text[at + 14] != '[' && k->f->text[at + 14] != '.') continue;
      insert(k, PLACE_BEFORE, top_statement(k, f, at).begin, "before_outputs");
      return;
    }
  insert(k, PLACE_AFTER, top_statement(k, f, last_site).end, "before_outputs");
}

static const char *stream(planner *k, const fact_function *f) {
  const fact_param *p = parameter(f, "stream");
  return p && p->holds == HOLDS_POINTER ? p->name : filled(k, "no_stream", NULL, 0);
}

static void run_function(planner *k, int function) {
  const fact_function *f = &k->f->functions.at[function];
  size_t last = 0;
  for (size_t i = 0; i < k->m->sites.n; i++)
    if (k->m->sites.at[i].call->function == function) last = k->m->sites.at[i].call->at;
  bool takes_inputs = parameter(f, "input_handles") != NULL;
  if (!last && !(f->is == FUNCTION_RUN && takes_inputs)) return;
  bool fold = f->is == FUNCTION_FOLD;
  insertion *x = insert(k, PLACE_AFTER, f->body.begin + 1,
                        f->no_end ? "run_uncaught"
                        : fold    ? "fold"
                                  : "run");
  set(k, x, "function", f->name);
  set(k, x, "stream", stream(k, f));
  if (f->no_end) set(k, x, "folding", fold ? "1" : "0");
  *arena_push(k->a, &k->p->runs) = function;
  inputs(k, f);
  if (k->m->weights.n) weights(k, function);
  if (last && f->is != FUNCTION_FOLD) outputs(k, function, last);
}

static void functions(planner *k) {
  for (size_t i = 0; i < k->f->functions.n; i++) {
    const fact_function *f = &k->f->functions.at[i];
    if (f->is == FUNCTION_RUN || f->is == FUNCTION_FOLD || f->is == FUNCTION_OTHER)
      run_function(k, (int)i);
    if (f->is == FUNCTION_CONSTRUCTOR && parameter(f, "device_str"))
      insert(k, PLACE_BEFORE, f->body.end - 1, "loaded");
    if (f->is == FUNCTION_WEIGHTS_API)
      insert(k, PLACE_INLINE, f->body.begin + 1, "weights_changed");
  }
}

/* ---- entry points --------------------------------------------------------------------------- */

/* Around what a `try` of theirs holds, before its handlers see an exception; and around the whole
 * body where something outside of that may throw. What stands within a line is planned first, since
 * it comes first in the text. */
static void entries(planner *k) {
  for (size_t i = 0; i < k->f->tries.n; i++) {
    insert(k, PLACE_INLINE, k->f->tries.at[i].open + 1, "entry_try");
    insert(k, PLACE_INLINE, k->f->tries.at[i].close, "entry_end");
  }
  for (size_t i = 0; i < k->f->entries.n; i++) {
    const fact_entry *e = &k->f->entries.at[i];
    const fact_function *f = &k->f->functions.at[e->function];
    if (e->deletes) insert(k, PLACE_INLINE, f->body.begin + 1, "entry_deletes");
    if (!e->throws || f->no_end) continue;
    insert(k, PLACE_AFTER, f->body.begin + 1, "entry");
    insert(k, PLACE_BEFORE, f->body.end - 1, "entry_end");
  }
}

/* Planned last, so that they stand behind what else stands before a closing brace. */
static void ends(planner *k) {
  for (size_t i = 0; i < k->p->runs.n; i++) {
    const fact_function *f = &k->f->functions.at[k->p->runs.at[i]];
    if (!f->no_end) insert(k, PLACE_BEFORE, f->body.end - 1, "run_end");
  }
}

/* Stable: what was planned first stands first where two meet. */
static int by_place(const void *a, const void *b) {
  const insertion *x = *(insertion *const *)a, *y = *(insertion *const *)b;
  if (x->at != y->at) return x->at < y->at ? -1 : 1;
  return x < y ? -1 : x > y;
}

static void sort(planner *k) {
  size_t n = k->p->insertions.n;
  insertion **order = arena_alloc(k->a, (n + 1) * sizeof *order),
            *sorted = arena_alloc(k->a, (n + 1) * sizeof *sorted);
  for (size_t i = 0; i < n; i++) order[i] = &k->p->insertions.at[i];
  qsort(order, n, sizeof *order, by_place);
  for (size_t i = 0; i < n; i++) sorted[i] = *order[i];
  k->p->insertions.at = sorted;
}

void plan_make(plan *p, const model *m, arena *a) {
  *p = (plan){0};
  planner k = {.p = p, .m = m, .f = m->facts, .a = a};
  if (!m->sites.n) return;
  insert(&k, PLACE_TOP, 0, "prologue");
  functions(&k);
  sites(&k);
  entries(&k);
  ends(&k);
  sort(&k);
}
