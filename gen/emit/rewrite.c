/* rewrite.c - see rewrite.h. Knows the order of the stages. */
#include "emit/rewrite.h"
#include "base/shown.h"
#include "emit/dump.h"
#include "emit/edit.h"
#include "emit/emit.h"
#include "command/torch_version.h"
#include "model/selection.h"
#include "parse/scan.h"
#include "system/input.h"
#include <string.h>

bool rewrite_command(rewriting *w) {
  const command_input in = {w->path, w->source, w->n, w->o, NULL, w->untrusted};
  if (!input_is_original(w->path, w->source, w->d) || !command_read(&w->command, &in, w->a, w->d))
    return false;
  if (w->o->dump == DUMP_COMMAND) {
    FILE *to = shown_open(stdout);
    command_dump(&w->command, to);
    fclose(to);
  } else {
    torch_version_warn(&w->command, w->path, w->a, w->d);
  }
  return true;
}

bool rewrite_parse(rewriting *w) {
  const translation_unit_input in = {w->path, w->source, w->n, &w->command, w->o};
  if (diags_status(w->d) != STATUS_OK || !translation_unit_parse(&w->tu, &in, w->a, w->d))
    return false;
  scan_wrapper(&w->facts, &w->tu, w->a);
  return model_build(&w->model, &w->facts, &w->beside, w->a, w->d) &&
         diags_status(w->d) == STATUS_OK;
}

static void name_entry_left_alone(const rewriting *w, const fact_entry *e) {
  const fact_function *f = &w->facts.functions.at[e->function];
  const char *why = e->uncovered;
  unsigned line, column;
  facts_position(&w->facts, f->at, &line, &column);
  if (!why && e->throws && f->no_end) why = arena_printf(w->a, "has an end that %s", f->no_end);
  if (why)
    diag_warning_at(w->d, w->path, line, column,
                    "left alone: '%s' %s: an exception leaves it as it is", f->name, why);
}

/* In JIT mode there are none, and no run_impl either. */
static void name_entries_left_alone(const rewriting *w) {
  for (size_t i = 0; i < w->facts.entries.n; i++) name_entry_left_alone(w, &w->facts.entries.at[i]);
  for (size_t i = 0; w->facts.entries.n == 0 && i < w->plan.runs.n; i++) {
    const fact_function *f = &w->facts.functions.at[w->plan.runs.at[i]];
    unsigned line, column;
    facts_position(&w->facts, f->at, &line, &column);
    if (strcmp(f->name, "run_impl") == 0)
      diag_warning_at(w->d, w->path, line, column,
                      "left alone: the entry points of '%s', AOTInductor*, are not defined in the "
                      "wrapper: an exception leaves them as it is",
                      f->name);
  }
}

/* A debug model that checks nothing looks like one that found nothing. */
static void warn_unselected(const rewriting *w) {
  const char *filter = w->o->levels.kernels;
  if (!filter || !w->model.sites.n || selection_has_any(&w->model, filter, w->a)) return;
  diag_warning(w->d, w->path, "--kernels='%s' selects none of its %zu sites%s", filter,
               w->model.sites.n, selection_nearest(&w->model, filter, w->a));
}

static void name_left_alone(const rewriting *w) {
  if (w->model.sites.n) name_entries_left_alone(w);
  for (size_t i = 0; i < w->plan.runs.n; i++) {
    const fact_function *f = &w->facts.functions.at[w->plan.runs.at[i]];
    unsigned line, column;
    facts_position(&w->facts, f->at, &line, &column);
    if (f->no_end)
      diag_warning_at(w->d, w->path, line, column,
                      "left alone: the end of '%s' %s: an exception leaves it as it is", f->name,
                      f->no_end);
  }
  for (size_t i = 0; i < w->model.sites.n; i++) {
    const site *s = &w->model.sites.at[i];
    if (s->skipped)
      diag_warning_at(w->d, w->path, s->line, s->column, "left alone: '%s' %s", s->kernel,
                      s->skipped);
  }
}

strbuf rewrite_emit(rewriting *w) {
  edits e;
  plan_make(&w->plan, &w->model, w->a);
  emit_edits(&e, &w->plan, &w->model, w->o, w->a);
  if (w->o->dump != DUMP_NONE) {
    FILE *to = shown_open(stdout);
    if (w->o->dump == DUMP_MODEL) dump_model(&w->model, to);
    if (w->o->dump == DUMP_PLAN) dump_plan(&w->plan, &w->model, to);
    if (w->o->dump == DUMP_EDITS) edit_dump(&e, &w->facts, to);
    fclose(to);
    return (strbuf){0};
  }
  name_left_alone(w);
  warn_unselected(w);
  return edit_apply(&e, w->source, w->n, w->a);
}

const char *rewrite_summary(const rewriting *w) {
  return w->model.sites.n ? emit_summary(&w->plan, w->a) : "no launch in it: copied as it is";
}

void rewrite_free(rewriting *w) { translation_unit_free(&w->tu); }
