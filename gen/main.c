/* main.c - options -> command -> tu -> scan -> model -> plan -> emit -> edit -> output, in this order. */
#include "build.h"
#include "command.h"
#include "edit.h"
#include "input.h"
#include "list.h"
#include "output.h"
#include "scan.h"
#include "stack.h"
#include <stdlib.h>
#include <string.h>

/* One wrapper on its way through the stages. */
typedef struct work {
  const options *o;
  arena *a;
  diags *d;
  const char *source;
  size_t n;
  command command;
  companions beside;
  tu tu;
  facts facts;
  model model;
} work;

static void find_companions(work *w) {
  static const char *const ops[] = {"%s.wrapper.json", "wrapper.json", "%s.json", NULL}, *const kernels[] = {"%s.kernel.cpp", "kernel.cpp", NULL};
  w->beside.ops_path = w->o->ops ? w->o->ops : input_sibling(w->o->input, ops, w->a);
  w->beside.ops_asked_for = w->o->ops != NULL;
  w->beside.kernel_path = input_sibling(w->o->input, kernels, w->a);
  w->beside.ops = input_read_beside(w->beside.ops_path, w->a, w->d);
  w->beside.kernel = input_read_beside(w->beside.kernel_path, w->a, w->d);
}

static void warn_of_version(const work *w) {
  const char *mismatch = command_mismatch(&w->command, w->a);
  if (mismatch) diag_warning(w->d, w->o->input, 0, 0, "%s", mismatch);
}

/* From the file to the model; what --dump=command asks for is printed on the way. */
static bool read_model(work *w) {
  const options *o = w->o;
  w->source = input_read(o->input, &w->n, w->a, w->d);
  if (!w->source || !input_is_original(o->input, w->source, w->d)) return false;
  if (!command_read(&w->command, o->input, w->source, w->n, o, w->a, w->d)) return false;
  if (o->dump == DUMP_COMMAND) {
    command_dump(&w->command, stdout);
    return true;
  }
  warn_of_version(w);
  find_companions(w);
  if (diags_status(w->d) != STATUS_OK || !tu_parse(&w->tu, o->input, w->source, w->n, &w->command, o, w->a, w->d)) return false;
  scan(&w->facts, &w->tu, w->a);
  return model_build(&w->model, &w->facts, &w->beside, w->a, w->d) && diags_status(w->d) == STATUS_OK;
}

static void name_left_alone(const work *w) {
  for (size_t i = 0; i < w->model.sites.n; i++) {
    const site *s = &w->model.sites.at[i];
    if (s->skipped) diag_warning(w->d, w->o->input, s->line, s->column, "left alone: '%s' %s", s->kernel, s->skipped);
  }
}

static void rewrite(work *w) {
  const options *o = w->o;
  if (o->dump == DUMP_NONE && !output_check(o->output, o->input, w->d)) return;
  if (!read_model(w) || o->dump == DUMP_COMMAND) return;
  plan p;
  edits e;
  plan_make(&p, &w->model, w->a);
  emit(&e, &p, &w->model, o, w->a);
  if (o->dump == DUMP_MODEL) model_dump(&w->model, stdout);
  if (o->dump == DUMP_PLAN) plan_dump(&p, &w->model, stdout);
  if (o->dump == DUMP_EDITS) edit_dump(&e, &w->facts, stdout);
  if (o->dump != DUMP_NONE) return;
  name_left_alone(w);
  strbuf out = edit_apply(&e, w->source, w->n, w->a);
  if (output_write(o->output, out.at, out.n, w->d) && o->verbosity >= 0) fprintf(stderr, "aotigen: %s\n", w->model.sites.n ? emit_summary(&p, w->a) : "no launch in it: copied as it is");
  strbuf_free(&out);
}

static void list(work *w) {
  if (read_model(w) && w->o->dump != DUMP_COMMAND) list_print(&w->model, &w->beside, w->o, stdout, w->a, w->d);
}

static const char *environment(const char *name) { return getenv(name); }

static void work_on(void *data) {
  work *w = data;
  switch (w->o->verb) {
    case VERB_HELP: options_help(stdout); break;
    case VERB_VERSION: options_version(stdout); break;
    case VERB_BUILD: build(w->o, w->a, w->d); break;
    case VERB_LIST: list(w); break;
    case VERB_REWRITE: rewrite(w); break;
  }
  tu_free(&w->tu);
}

int main(int argc, char **argv) {
  arena *a = arena_new();
  diags *d = diags_new(a);
  options o;
  work w = {.o = &o, .a = a, .d = d};
  output_catch_signals();
  options_parse(&o, argc, argv, environment, a, d);
  output_use_tmpdir(o.tmpdir);
  if (diags_status(d) == STATUS_OK) stack_run(work_on, &w, &o.input);
  if (fflush(stdout) != 0 || ferror(stdout)) diag_error(d, STATUS_INPUT, NULL, 0, 0, "cannot write to standard output");
  diags_print(d, stderr, o.verbosity < 0);
  enum status status = diags_status(d);
  arena_free(a);
  return (int)status;
}
