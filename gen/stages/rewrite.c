/* rewrite.c - see rewrite.h. Knows what may become of the child. */
#include "stages/rewrite.h"
#include "base/shown.h"
#include "command/torch_version.h"
#include "emit/emit.h"
#include "stages/stages.h"
#include "parse/libclang.h"
#include "parse/confined_parser.h"
#include "system/budget.h"
#include "system/cleanup.h"
#include "system/crash_guard.h"
#include "system/input.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The largest answer: many times what a wrapper is rewritten to, or listed as. */
enum { ANSWER_MIN = 32 << 20, ANSWER_FACTOR = 16 };

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

/* ---- the child */

typedef struct child_task {
  const stages_task *stages;
  arena *a;
} child_task;

static bool answer(void *data, FILE *to) {
  const child_task *t = data;
  rewritten r;
  diags *d = diags_new(t->a);
  FILE *printed = rewritten_open_printed(to);
  if (!printed) return false;
  crash_guard_in_copy();
  stages_run(&r, t->stages, printed, t->a, d);
  fclose(printed);
  rewritten_put(&r, d, to);
  return true;
}

/* ---- its parent */

static bool is_late(const process *p) {
  return p->error == ETIMEDOUT ||
         (!p->error && WIFSIGNALED(p->status) && WTERMSIG(p->status) == SIGXCPU);
}

static bool is_total_spent(void) {
  budget_time left = budget_parser_left();
  return left.limited && left.ms == 0;
}

static void say_no_room(const rewriting *w) {
  diag_error(w->d, STATUS_INPUT, w->path,
             "the temporary directory is full: TMPDIR=DIR chooses "
             "another");
}

/* `seconds`: of processor time, that it was given. */
static void say_how_it_ended(const rewriting *w, const process *p, uint64_t seconds) {
  bool exited = !p->error && WIFEXITED(p->status);
  int status = exited ? WEXITSTATUS(p->status) : -1;
  if (budget_report(w->path, w->d)) return;
  if (is_late(p) && is_total_spent())
    diag_error(w->d, STATUS_INPUT, w->path,
               "the models of the package take the parser too long together: it was ended after "
               "%u s of processor time, or three times that by the clock; "
               "--limits=parser-total=SECONDS allows more",
               w->o->limits.parser_total);
  else if (is_late(p))
    diag_error(w->d, STATUS_INPUT, w->path,
               "takes the parser too long: it was ended after %llu s of processor time, or three "
               "times that by the clock; --limits=parser=SECONDS allows more",
               (unsigned long long)seconds);
  else if (p->error == EFBIG)
    diag_error(w->d, STATUS_INPUT, w->path,
               "its result is too large: many times what a wrapper becomes");
  else if (p->error == ENOSPC || p->error == EDQUOT)
    say_no_room(w);
  else if (p->error)
    diag_error(w->d, STATUS_INPUT, w->path, "the parser's process cannot be started: %s",
               strerror(p->error));
  else if (status == CRASH_GUARD_OVERFLOW)
    diag_error(w->d, STATUS_INPUT, w->path, "nests too deep to be parsed");
  else if (status == PROCESS_NOT_CONFINED)
    diag_error(w->d, STATUS_INPUT, w->path,
               "the kernel refuses the rules for the parser's process");
  else
    diag_error(
        w->d, STATUS_INPUT, w->path,
        "the parser gave up on it: no memory left (--limits=parser-memory=MIB allows more), or a "
        "bug in it");
}

/* From the beginning of the file. False where the file does not hold all of it. */
static bool print_result(const rewriting *w, FILE *printed) {
  char buffer[64 << 10];
  if (fflush(printed) != 0 || fseeko(printed, 0, SEEK_SET) != 0) return false;
  FILE *to = w->to ? w->to : shown_open(stdout);
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, printed)) > 0;) fwrite(buffer, 1, n, to);
  if (!w->to) fclose(to);
  return !ferror(printed);
}

static bool run_child(rewriting *w, const stages_task *task) {
  child_task child = {task, w->a};
  confined_parser rules;
  process p;
  rewritten_reader r = {.dir = cleanup_private_dir(w->d)};
  if (!r.dir || !confined_parser_begin(&rules, &task->in, NULL, w->a, w->d)) return false;
  bool ok = process_answer(&p, answer, &child, &rules.how, ANSWER_MIN + ANSWER_FACTOR * w->n,
                           rewritten_read, &r);
  confined_parser_end(&rules);
  budget_take_parser(is_late(&p) ? (long)rules.rules.limits.cpu_seconds * 1000 : p.cpu_ms);
  if (!ok)
    say_how_it_ended(w, &p, rules.rules.limits.cpu_seconds);
  else if (!rewritten_take(&w->result, &r, w->a, w->d))
    diag_error(w->d, STATUS_INPUT, w->path,
               "the parser's answer makes no sense: a bug, or the source took over its process");
  else if (r.printed && !print_result(w, r.printed))
    say_no_room(w);
  rewritten_reader_free(&r);
  return diags_status(w->d) == STATUS_OK;
}

static bool run_stages(rewriting *w, enum task_kind kind, const char *name) {
  stages_task task = {.in = {.path = w->path,
                             .text = w->source,
                             .n = w->n,
                             .command = &w->command,
                             .options = w->o},
                      .companions = &w->companions,
                      .kind = kind,
                      .model_name = name};
  if (diags_status(w->d) != STATUS_OK || !libclang_load(w->d)) return false;
  task.in.pch = translation_unit_find_pch(&task.in, w->a);
  bool ok = run_child(w, &task);
  if (w->result.pch_failed && task.in.pch) unlink(task.in.pch);
  return ok;
}

bool rewrite_run(rewriting *w) { return run_stages(w, TASK_REWRITE, NULL); }

bool rewrite_list(rewriting *w, const char *name) {
  return run_stages(w, w->o->verb == VERB_CHECK ? TASK_CHECK : TASK_LIST, name);
}

void rewrite_report_refuted(const options *o, size_t refuted, diags *d) {
  if (refuted)
    diag_error(d, STATUS_INPUT, o->input_as ? o->input_as : o->input,
               "%zu error%s: for sizes that the model allows, kernels access memory out of bounds "
               "or break what they declare",
               refuted, refuted == 1 ? "" : "s");
}

const char *rewrite_summary(const rewriting *w) {
  plan p = {.left_alone = w->result.left_alone};
  memcpy(p.counts, w->result.counts, sizeof p.counts);
  return w->result.sites ? emit_summary(&p, w->a) : "no launch in it: copied as it is";
}
