/* stages.c - see stages.h. Knows the order of the stages. */
#include "stages/stages.h"
#include "base/shown.h"
#include "check/check.h"
#include "stages/dump.h"
#include "emit/emit.h"
#include "model/list.h"
#include "model/selection.h"
#include "model/streams.h"
#include "parse/scan.h"
#include <string.h>

typedef struct stages {
  const options *o;
  arena *a;
  diags *d;
  const char *path; /* what messages name */
  facts facts;
  model model;
  plan plan;
} stages;

/* libclang's tree is gone when this returns: of a long wrapper it takes most of the memory. */
static bool read_facts(stages *w, const stages_task *task, bool *pch_failed) {
  translation_unit unit;
  bool parses = translation_unit_parse(&unit, &task->in, w->a, w->d);
  if (parses) scan_wrapper(&w->facts, &unit, w->a);
  *pch_failed = unit.pch_failed;
  translation_unit_free(&unit);
  return parses;
}

static bool build_model(stages *w, const stages_task *task, bool *pch_failed) {
  if (!read_facts(w, task, pch_failed)) return false;
  return model_build(&w->model, &w->facts, task->companions, w->a, w->d) &&
         diags_status(w->d) == STATUS_OK;
}

static void name_entry_left_alone(const stages *w, const fact_entry *e) {
  const fact_function *f = &w->facts.functions.at[e->function];
  const char *why = e->uncovered;
  unsigned line, column;
  facts_position(&w->facts, f->offset, &line, &column);
  if (!why && e->throws && f->no_end) why = arena_printf(w->a, "has an end that %s", f->no_end);
  if (why)
    diag_warning_at(w->d, w->path, line, column,
                    "left alone: '%s' %s: an exception leaves it as it is",
                    shown_name(f->name, w->a), why);
}

/* In JIT mode there are none, and no run_impl either. */
static void name_entries_left_alone(const stages *w) {
  for (size_t i = 0; i < w->facts.entries.n; i++) name_entry_left_alone(w, &w->facts.entries.at[i]);
  for (size_t i = 0; w->facts.entries.n == 0 && i < w->plan.runs.n; i++) {
    const fact_function *f = &w->facts.functions.at[w->plan.runs.at[i]];
    unsigned line, column;
    facts_position(&w->facts, f->offset, &line, &column);
    if (strcmp(f->name, "run_impl") == 0)
      diag_warning_at(w->d, w->path, line, column,
                      "left alone: the entry points of '%s', AOTInductor*, are not defined in the "
                      "wrapper: an exception leaves them as it is",
                      shown_name(f->name, w->a));
  }
}

/* A debug model that checks nothing looks like one that found nothing. */
static void warn_unselected(const stages *w) {
  const char *filter = w->o->levels.kernels;
  if (!filter || !w->model.sites.n || selection_count(&w->model, filter, w->a)) return;
  diag_warning(w->d, w->path, "--kernels='%s' selects none of its %zu sites%s", filter,
               w->model.sites.n, selection_nearest(&w->model, filter, w->a));
}

static void name_left_alone(const stages *w) {
  if (w->model.sites.n) name_entries_left_alone(w);
  for (size_t i = 0; i < w->plan.runs.n; i++) {
    const fact_function *f = &w->facts.functions.at[w->plan.runs.at[i]];
    unsigned line, column;
    facts_position(&w->facts, f->offset, &line, &column);
    if (f->no_end)
      diag_warning_at(w->d, w->path, line, column,
                      "left alone: the end of '%s' %s: an exception leaves it as it is",
                      shown_name(f->name, w->a), f->no_end);
  }
  for (size_t i = 0; i < w->model.sites.n; i++) {
    const site *s = &w->model.sites.at[i];
    if (s->skipped)
      diag_warning_at(w->d, w->path, s->line, s->column, "left alone: '%s' %s",
                      shown_name(s->kernel, w->a), s->skipped);
  }
}

static void name_unchecked(const stages *w, const bounds_unchecked_list *list) {
  if (!list->n || !(w->o->levels.check_inputs & 2)) return;
  const site *s = list->at[0].site;
  const char *more = list->n == 2 ? ", and some of another launch" : "";
  if (list->n > 2) more = arena_printf(w->a, ", and some of %zu other launches", list->n - 1);
  diag_warning_at(
      w->d, w->path, s->line, s->column,
      "'%s': %zu bounds of its accesses%s are not checked at run time, for there are too many: "
      "'aotigen check' tells which are proved",
      shown_name(s->kernel, w->a), list->at[0].n, more);
}

/* The first statement behind which no line can stand, or NULL. */
static const stream_op *find_unmarked(const model *m) {
  for (size_t i = 0; i < m->stream_ops.n; i++)
    if (!m->stream_ops.at[i].end) return &m->stream_ops.at[i];
  return NULL;
}

static void say_races_unseen(const stages *w) {
  const stream_op *op = find_unmarked(&w->model);
  if (w->plan.marks_order || !streams_are_several(&w->model)) return;
  if (op)
    diag_warning_at(w->d, w->path, op->line, 1,
                    "races between streams are not looked for at run time: no line can be added "
                    "behind this statement, which orders them");
  else
    diag_warning(w->d, w->path,
                 "races between streams are not looked for at run time: a query, a jump or another "
                 "function may order them");
}

static void say_guard(const stages *w) {
  const char *more = guard_memory_describe(&w->model, &w->o->levels, w->a);
  const char *unknown = guard_memory_find_unknown(&w->model, &w->o->levels, w->a);
  if (unknown)
    diag_warning(
        w->d, w->path,
        "--guard: the wrapper has no buffer, input or weight of the name %s: 'aotigen list' "
        "shows the names, such as buf3 or arg0_1",
        unknown);
  if (more && w->o->verbosity >= 0)
    diag_note(w->d, w->path, "--guard takes more memory in each run: %s", more);
}

static void emit_text(stages *w, const stages_task *task, rewritten *r, FILE *printed) {
  edits *e = arena_alloc(w->a, sizeof *e);
  kernel_tables kernels = {graph_tables_begin(w->model.graphs, w->a),
                           bound_tables_begin(&w->model, w->a)};
  plan_make(&w->plan, &w->model, w->a);
  emit_edits(e, &w->plan, &w->model, w->o, &kernels, w->a);
  bound_tables_free(kernels.bounds);
  if (w->o->dump == DUMP_MODEL) dump_model(&w->model, printed);
  if (w->o->dump == DUMP_KERNELS) check_dump_kernels(&w->model, printed);
  if (w->o->dump == DUMP_PLAN) dump_plan(&w->plan, &w->model, printed);
  if (w->o->dump == DUMP_EDITS) edit_dump(e, &w->facts, printed);
  if (w->o->dump != DUMP_NONE) return;
  say_guard(w);
  say_races_unseen(w);
  name_left_alone(w);
  name_unchecked(w, bound_tables_unchecked(kernels.bounds));
  warn_unselected(w);
  *r = (rewritten){.text = task->in.text, .n = task->in.n, .edits = e, .pch_failed = r->pch_failed};
}

/* The number of findings that refute the model. */
static size_t check_and_print(stages *w, const stages_task *task, FILE *printed) {
  check c;
  check_model(&c, &w->model, check_print, &(check_printer){&w->model, w->o, printed});
  check_print_sums(&c, w->o, task->model_name, printed);
  return c.refuted;
}

/* Lists the model. With --kernel, adds the check's findings on its accesses. */
static void list(stages *w, const stages_task *task, FILE *printed) {
  bool ok = list_print(&w->model, task->companions, w->o, task->model_name, printed, w->a, w->d);
  if (ok) warn_unselected(w);
  if (!ok || !w->o->kernel) return;
  check c;
  check_model(&c, &w->model, check_print_accesses, &(check_printer){&w->model, w->o, printed});
}

static unsigned count_left_alone(const model *m) {
  unsigned n = 0;
  for (size_t i = 0; i < m->sites.n; i++) n += m->sites.at[i].skipped != NULL;
  return n;
}

static void take_numbers(rewritten *r, const stages *w) {
  r->sites = w->model.sites.n;
  memcpy(r->counts, w->plan.counts, sizeof r->counts);
  r->left_alone = count_left_alone(&w->model);
  weights_declared_by_model(&r->weights, &w->model);
}

void stages_run(rewritten *r, const stages_task *task, FILE *printed, arena *a, diags *d) {
  stages w = {.o = task->in.options, .a = a, .d = d, .path = task->in.path};
  *r = (rewritten){.text = ""};
  if (build_model(&w, task, &r->pch_failed)) {
    if (task->kind == TASK_LIST)
      list(&w, task, printed);
    else if (task->kind == TASK_CHECK)
      r->refuted = check_and_print(&w, task, printed);
    else
      emit_text(&w, task, r, printed);
    take_numbers(r, &w);
  }
}
