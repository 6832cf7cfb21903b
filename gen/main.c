/* main.c - options -> command -> tu -> scan -> model -> plan -> emit -> edit -> output, in this
 * order: rewrite.c has the middle. */
#include "package/archive.h"
#include "build/build.h"
#include "system/input.h"
#include "model/list.h"
#include "system/atomic_output.h"
#include "build/companions.h"
#include "package/repackage.h"
#include "emit/rewrite.h"
#include "system/crash_guard.h"
#include <stdlib.h>

typedef struct work {
  const options *o;
  arena *a;
  diags *d;
} work;

static void find_companions(rewriting *w) {
  const options *o = w->o;
  w->beside.ops_path = o->ops ? o->ops : input_sibling(o->input, companions_ops_names, w->a);
  w->beside.ops_asked_for = o->ops != NULL;
  w->beside.kernel_path = input_sibling(o->input, companions_kernel_names, w->a);
  w->beside.ops = input_read_beside(w->beside.ops_path, w->a, w->d);
  w->beside.kernel = input_read_beside(w->beside.kernel_path, w->a, w->d);
}

/* From the file to the model, or to what --dump=command asks for. */
static bool read_model(rewriting *w) {
  w->source = input_read(w->path, &w->n, w->a, w->d);
  if (!w->source || !rewrite_command(w) || w->o->dump == DUMP_COMMAND) return false;
  find_companions(w);
  return rewrite_parse(w);
}

static void rewrite(work *x) {
  const options *o = x->o;
  rewriting w = {.o = o, .a = x->a, .d = x->d, .path = o->input};
  bool wanted = o->dump == DUMP_NONE;
  if (wanted && !output_check(o->output, o->input, x->d)) return;
  if (read_model(&w)) {
    strbuf out = rewrite_emit(&w);
    if (wanted && output_write(o->output, out.at, out.n, x->d) && o->verbosity >= 0)
      fprintf(stderr, "aotigen: %s\n", rewrite_summary(&w));
    strbuf_free(&out);
  }
  rewrite_free(&w);
}

static void list(work *x) {
  rewriting w = {.o = x->o, .a = x->a, .d = x->d, .path = x->o->input};
  if (read_model(&w)) list_print(&w.model, &w.beside, x->o, NULL, stdout, x->a, x->d);
  rewrite_free(&w);
}

static const char *environment(const char *name) { return getenv(name); }

static void work_on(void *data) {
  work *x = data;
  bool package = x->o->input && archive_detect(x->o->input);
  switch (x->o->verb) {
    case VERB_HELP: options_help(stdout); break;
    case VERB_VERSION: options_version(stdout); break;
    case VERB_BUILD: build(x->o, x->a, x->d); break;
    case VERB_LIST: package ? repackage_list(x->o, x->a, x->d) : list(x); break;
    case VERB_REWRITE: package ? repackage_rewrite(x->o, x->a, x->d) : rewrite(x); break;
  }
}

int main(int argc, char **argv) {
  arena *a = arena_new();
  diags *d = diags_new(a);
  options o;
  work x = {.o = &o, .a = a, .d = d};
  output_catch_signals();
  options_parse(&o, argc, argv, environment, a, d);
  output_use_tmpdir(o.tmpdir);
  if (diags_status(d) == STATUS_OK) stack_run(work_on, &x, &o.input);
  if (fflush(stdout) != 0 || ferror(stdout))
    diag_error(d, STATUS_INPUT, NULL, 0, 0, "cannot write to standard output");
  diags_print(d, stderr, o.verbosity < 0);
  enum status status = diags_status(d);
  arena_free(a);
  return (int)status;
}
