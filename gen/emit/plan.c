/* plan.c - see plan.h. */
#include "emit/plan.h"
#include "model/custom_ops.h"
#include "model/streams.h"
#include "parse/lex.h"
#include <stdlib.h>
#include <string.h>

typedef struct planner {
  plan *p;
  const model *m;
  const facts *f;
  arena *a;
  size_t *last_sites;          /* by function: the offset of its last site, 0 for none */
  const fact_function *folder; /* calls constant folding, and can continue without; or NULL */
  size_t folding;              /* the offset of that call */
} planner;

static insertion *add_insertion(planner *k, enum place place, size_t at,
                                const char *template_name) {
  insertion *x = arena_push(k->a, &k->p->insertions);
  *x = (insertion){.place = place, .offset = at, .template_name = template_name};
  return x;
}

static void set_slot(planner *k, insertion *x, const char *name, const char *value) {
  *arena_push(k->a, &x->slots) = (slot){name, value};
}

/* ---- launches ------------------------------------------------------------------------------- */

static const char *format_value(planner *k, const argument *arg) {
  if (!arg->value) return template_fill("nothing", NULL, 0, k->a);
  if (!arg->view) return arg->value;
  const slot slots[] = {{"base", arg->value},
                        {"ndim", facts_copy(k->f, arg->view[1], k->a)},
                        {"sizes", facts_copy(k->f, arg->view[2], k->a)},
                        {"strides", facts_copy(k->f, arg->view[3], k->a)},
                        {"offset", facts_copy(k->f, arg->view[4], k->a)}};
  return template_fill("view", slots, sizeof slots / sizeof *slots, k->a);
}

/* True if the statement ignores the error that a function of the shim returns. */
static bool ignores_result(const fact_call *c) {
  return c->calls == CALLS_SHIM && c->statement.begin == c->offset;
}

/* True if torch's proxy executor may store more tensors than the wrapper's array holds: for a list,
 * it stores each tensor that the op returned. */
static bool may_return_more(const site *s) {
  if (s->form != AOTIGEN_PROXY || s->call->calls != CALLS_SHIM) return false;
  for (size_t i = 0; s->op && i < s->op->outputs.n; i++)
    if (strstr(s->op->outputs.at[i].kind, "tensors")) return true;
  return !s->op;
}

/* Adds the definition of torch's function as ours, or its end. */
static void add_room(planner *k, enum place place, size_t at, const char *template_name,
                     const site *s) {
  if (may_return_more(s))
    set_slot(k, add_insertion(k, place, at, template_name), "function", s->call->callee);
}

static bool is_passed_stream(const planner *k, const site *s) {
  return streams_are_several(k->m) && s->passed_stream;
}

static const char *choose_before(const planner *k, const site *s) {
  if (is_passed_stream(k, s)) return "before_on";
  return ignores_result(s->call) ? "before_result" : "before";
}

static void surround_site(planner *k, int index) {
  const site *s = &k->m->sites.at[index];
  strings before = {0}, late = {0};
  for (size_t i = 0; i < s->args.n; i++) {
    *arena_push(k->a, &before) = format_value(k, &s->args.at[i]);
    if (s->args.at[i].flags & AOTIGEN_LATE)
      *arena_push(k->a, &late) = s->args.at[i].late ? s->args.at[i].late
                                                    : template_fill("nothing", NULL, 0, k->a);
  }
  const char *number = arena_printf(k->a, "%d", index);
  add_room(k, PLACE_BEFORE, s->call->statement.begin, "room", s);
  insertion *x = add_insertion(k, PLACE_BEFORE, s->call->statement.begin, choose_before(k, s));
  set_slot(k, x, "site", number);
  if (is_passed_stream(k, s)) set_slot(k, x, "stream", s->passed_stream);
  set_slot(k, x, "values",
           before.n ? strings_join(k->a, &before, ", ")
                    : template_fill("no_values", NULL, 0, k->a));
  x->opens = s->call->braces;
  add_room(k, PLACE_AFTER, s->call->statement.end, "room_over", s);
  x = add_insertion(k, PLACE_AFTER, s->made ? s->made : s->call->statement.end,
                    late.n ? "after_made" : "after");
  set_slot(k, x, "site", number);
  if (late.n) set_slot(k, x, "values", strings_join(k->a, &late, ", "));
  x->closes = s->call->braces;
}

static bool begins_run(const planner *k, int function) {
  for (size_t i = 0; i < k->p->runs.n; i++)
    if (k->p->runs.at[i] == function) return true;
  return false;
}

/* Plans a line behind each allocation in a function that begins a run, and behind each line by
 * which a buffer takes over another one's memory. */
static void plan_buffers(planner *k) {
  for (size_t i = 0; i < k->m->buffers.n; i++) {
    const model_buffer *b = &k->m->buffers.at[i];
    const char *number = arena_printf(k->a, "%zu", i);
    if (!begins_run(k, b->function)) continue;
    insertion *x = add_insertion(k, PLACE_AFTER, b->made, b->reuse ? "reused" : "allocated");
    set_slot(k, x, "buffer", number);
    set_slot(k, x, "handle", b->owner);
  }
}

static const char *name_stream_op(const stream_op *op) {
  if (op->kind == STREAM_OP_RECORDS) return "AOTIGEN_STREAM_RECORDS";
  if (op->kind == STREAM_OP_WAITS) return "AOTIGEN_STREAM_WAITS";
  if (op->passed) return "AOTIGEN_HOST_WAITS";
  return op->event ? "AOTIGEN_HOST_WAITS_FOR" : "AOTIGEN_HOST_WAITS_FOR_ALL";
}

/* Plans a line behind each statement that orders streams, if one can stand behind all of them. */
static void plan_stream_ops(planner *k) {
  k->p->marks_order = streams_are_several(k->m) && !k->m->hides_order;
  for (size_t i = 0; i < k->m->stream_ops.n; i++)
    if (!k->m->stream_ops.at[i].end) k->p->marks_order = false;
  for (size_t i = 0; i < k->m->stream_ops.n && k->p->marks_order; i++) {
    const stream_op *op = &k->m->stream_ops.at[i];
    if (!begins_run(k, op->function)) continue;
    insertion *x = add_insertion(k, PLACE_AFTER, op->end, "stream_op");
    const char *none = template_fill("no_stream", NULL, 0, k->a);
    set_slot(k, x, "op", name_stream_op(op));
    set_slot(k, x, "stream", op->passed ? op->passed : none);
    set_slot(k, x, "event", op->event ? op->event : none);
  }
}

/* Plans a line before each line that hands over a single buffer. */
static void plan_handings(planner *k) {
  for (size_t i = 0; i < k->m->buffers.n; i++) {
    const model_buffer *b = &k->m->buffers.at[i];
    if (!b->handing || !begins_run(k, b->function)) continue;
    insertion *x = add_insertion(k, PLACE_BEFORE, b->handing, "handed_over");
    set_slot(k, x, "handle", b->handed);
  }
}

static void plan_sites(planner *k) {
  for (size_t i = 0; i < k->m->sites.n; i++) {
    if (k->m->sites.at[i].skipped) {
      k->p->left_alone++;
      continue;
    }
    k->p->counts[k->m->sites.at[i].form]++;
    surround_site(k, (int)i);
  }
  for (size_t i = 0; i < k->m->launches.n; i++) {
    const launch *l = &k->m->launches.at[i];
    insertion *x = add_insertion(k, PLACE_BEFORE, l->statement, "grid");
    set_slot(k, x, "kernel", l->kernel);
    set_slot(k, x, "x", l->grid[0]);
    set_slot(k, x, "y", l->grid[1]);
    set_slot(k, x, "z", l->grid[2]);
  }
}

/* ---- run functions -------------------------------------------------------------------------- */

static const fact_param *find_param(const fact_function *f, const char *name) {
  for (size_t i = 0; i < f->params.n; i++)
    if (strcmp(f->params.at[i].name, name) == 0) return &f->params.at[i];
  return NULL;
}

/* The offset past the statement at `p`, which may contain blocks. */
static size_t skip_statement(const planner *k, size_t p, size_t end) {
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

/* The statement directly in the function's block that contains `at`. */
static span find_statement(const planner *k, const fact_function *f, size_t at) {
  span s = {0, f->body.begin + 1};
  size_t end = f->body.end - 1; /* directives may hide the end of a statement */
  while (s.end <= at && s.end < end) {
    s.begin = lex_skip_space(k->f->text, s.end, end);
    s.end = skip_statement(k, s.begin, end);
  }
  return s;
}

static bool find_word(const planner *k, const fact_function *f, const char *word, size_t *at) {
  *at = lex_find_word(k->f->text, f->body.begin, f->body.end, word);
  return *at < f->body.end;
}

static void plan_inputs(planner *k, const fact_function *f) {
  const fact_param *p = find_param(f, "input_handles");
  size_t at;
  if (!p || p->holds != HOLDS_HANDLES || f->kind != FUNCTION_RUN) return;
  set_slot(k, add_insertion(k, PLACE_AFTER, f->body.begin + 1, "check_inputs"), "handles", p->name);
  if (find_word(k, f, "steal_from_raw_handles_to_raii_handles", &at) ||
      find_word(k, f, "convert_handles_to_inputs", &at))
    add_insertion(k, PLACE_AFTER, find_statement(k, f, at).end, "inputs_owned");
}

static bool mentions(const planner *k, const fact_function *f, const char *part) {
  return memmem(k->f->text + f->body.begin, f->body.end - f->body.begin, part, strlen(part));
}

/* Finds const_run_impl(stream, proxy_executor, initialization), which torch's container calls as a
 * part of a run. An exception that leaves it loses the model. */
static void find_folder(planner *k) {
  for (size_t i = 0; i < k->f->functions.n && !k->folder; i++) {
    const fact_function *f = &k->f->functions.at[i];
    if (strcmp(f->name, "const_run_impl") != 0 || !find_param(f, "initialization") ||
        !mentions(k, f, "constants_->") || !find_word(k, f, "_const_run_impl", &k->folding) ||
        find_statement(k, f, k->folding).begin != k->folding)
      continue;
    k->folder = f;
  }
}

static void plan_folder(planner *k) {
  if (!k->folder) return;
  span s = find_statement(k, k->folder, k->folding);
  add_insertion(k, PLACE_BEFORE, s.begin, "folding");
  set_slot(k, add_insertion(k, PLACE_AFTER, s.end, "folding_end"), "initialization",
           find_param(k->folder, "initialization")->name);
}

/* The check of the weights comes after the last line that binds one. */
static void plan_weights(planner *k, int function) {
  const fact_function *f = &k->f->functions.at[function];
  size_t last = 0;
  strings values = {0};
  for (size_t i = 0; i < k->m->weights.n; i++)
    *arena_push(k->a, &values) = template_fill("nothing", NULL, 0, k->a);
  for (size_t i = 0; i < k->f->vars.n; i++) {
    const fact_var *v = &k->f->vars.at[i];
    if (v->function != function || v->made != MADE_WEIGHT || v->from < 0 ||
        v->from >= (int)values.n)
      continue;
    values.at[v->from] = v->name;
    last = v->init.end;
  }
  if (!last) return;
  const bool held = f->kind == FUNCTION_RUN && mentions(k, f, "constants_->");
  if (held) add_insertion(k, PLACE_AFTER, f->body.begin + 1, "guard_weights");
  set_slot(k, add_insertion(k, PLACE_AFTER, find_statement(k, f, last).end, "check_weights"),
           "values", strings_join(k->a, &values, ", "));
  if (held && k->folder) add_insertion(k, PLACE_AFTER, find_statement(k, f, last).end, "folded");
}

/* Before the first output is handed over, or behind the last launch if the text does not show that
 * place. */
static void plan_outputs(planner *k, int function, size_t last_site) {
  const fact_function *f = &k->f->functions.at[function];
  if (find_param(f, "output_handles"))
    for (size_t at = f->body.begin;
         (at = lex_find_word(k->f->text, at, f->body.end, "output_handles")) < f->body.end; at++) {
      if (k->f->text[at + 14] != '[' && k->f->text[at + 14] != '.') continue;
      add_insertion(k, PLACE_BEFORE, find_statement(k, f, at).begin, "before_outputs");
      return;
    }
  add_insertion(k, PLACE_AFTER, find_statement(k, f, last_site).end, "before_outputs");
}

static const char *find_stream(planner *k, const fact_function *f) {
  const fact_param *p = find_param(f, "stream");
  return p && p->holds == HOLDS_POINTER ? p->name : template_fill("no_stream", NULL, 0, k->a);
}

static void plan_run(planner *k, int function) {
  const fact_function *f = &k->f->functions.at[function];
  const size_t last = k->last_sites[function];
  bool takes_inputs = find_param(f, "input_handles") != NULL;
  if (!last && !(f->kind == FUNCTION_RUN && takes_inputs)) return;
  bool fold = f->kind == FUNCTION_FOLD;
  const char *begin = fold ? "fold" : "run";
  insertion *x =
      add_insertion(k, PLACE_AFTER, f->body.begin + 1, f->no_end ? "run_uncaught" : begin);
  set_slot(k, x, "stream", find_stream(k, f));
  if (f->no_end) set_slot(k, x, "folding", fold ? "1" : "0");
  *arena_push(k->a, &k->p->runs) = function;
  plan_inputs(k, f);
  if (k->m->weights.n) plan_weights(k, function);
  if (last && f->kind != FUNCTION_FOLD) plan_outputs(k, function, last);
}

static void plan_functions(planner *k) {
  find_folder(k);
  plan_folder(k);
  for (size_t i = 0; i < k->f->functions.n; i++) {
    const fact_function *f = &k->f->functions.at[i];
    if (f->kind == FUNCTION_RUN || f->kind == FUNCTION_FOLD || f->kind == FUNCTION_OTHER)
      plan_run(k, (int)i);
    if (f->kind == FUNCTION_CONSTRUCTOR && find_param(f, "device_str"))
      add_insertion(k, PLACE_BEFORE, f->body.end - 1, "loaded");
    if (f->kind == FUNCTION_WEIGHTS_API)
      add_insertion(k, PLACE_INLINE, f->body.begin + 1, "weights_changed");
  }
}

/* ---- entry points --------------------------------------------------------------------------- */

/* Around the content of each `try`, so that an exception is seen before its handlers; and around
 * the whole body if something outside of a `try` may throw. Edits within a line are planned first,
 * since they come first in the text. */
static void plan_entries(planner *k) {
  for (size_t i = 0; i < k->f->tries.n; i++) {
    add_insertion(k, PLACE_INLINE, k->f->tries.at[i].open + 1, "entry_try");
    add_insertion(k, PLACE_INLINE, k->f->tries.at[i].close, "entry_end");
  }
  for (size_t i = 0; i < k->f->entries.n; i++) {
    const fact_entry *e = &k->f->entries.at[i];
    const fact_function *f = &k->f->functions.at[e->function];
    if (e->deletes) add_insertion(k, PLACE_INLINE, f->body.begin + 1, "entry_deletes");
    if (!e->throws || f->no_end) continue;
    add_insertion(k, PLACE_AFTER, f->body.begin + 1, "entry");
    add_insertion(k, PLACE_BEFORE, f->body.end - 1, "entry_end");
  }
}

/* Planned last, so that they come after all else before a closing brace. */
static void plan_ends(planner *k) {
  for (size_t i = 0; i < k->p->runs.n; i++) {
    const fact_function *f = &k->f->functions.at[k->p->runs.at[i]];
    if (!f->no_end) add_insertion(k, PLACE_BEFORE, f->body.end - 1, "run_end");
  }
}

/* By place; those at one place in the order that they were planned in. */
static int compare_places(const void *a, const void *b) {
  const insertion *x = *(insertion *const *)a, *y = *(insertion *const *)b;
  if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
  return x < y ? -1 : x > y;
}

static void sort_insertions(planner *k) {
  size_t n = k->p->insertions.n;
  insertion **order = arena_alloc(k->a, (n + 1) * sizeof *order),
            *sorted = arena_alloc(k->a, (n + 1) * sizeof *sorted);
  for (size_t i = 0; i < n; i++) order[i] = &k->p->insertions.at[i];
  qsort(order, n, sizeof *order, compare_places);
  for (size_t i = 0; i < n; i++) sorted[i] = *order[i];
  k->p->insertions.at = sorted;
}

void plan_make(plan *p, const model *m, arena *a) {
  *p = (plan){0};
  planner k = {.p = p, .m = m, .f = m->facts, .a = a};
  if (!m->sites.n) return;
  k.last_sites = arena_alloc(a, (m->facts->functions.n + 1) * sizeof *k.last_sites);
  for (size_t i = 0; i < m->sites.n; i++)
    k.last_sites[m->sites.at[i].call->function] = m->sites.at[i].call->offset;
  add_insertion(&k, PLACE_TOP, 0, "prologue");
  plan_functions(&k);
  plan_buffers(&k);
  plan_handings(&k);
  plan_stream_ops(&k);
  plan_sites(&k);
  plan_entries(&k);
  plan_ends(&k);
  sort_insertions(&k);
}
